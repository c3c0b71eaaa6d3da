"""An application being filled in, and its owner's client."""

from typing import Any

import pytest
from django.test import Client

from onboarding.models import Application
from tests import factories


@pytest.fixture
def application() -> Application:
    return factories.an_application()


@pytest.fixture
def page(client: Client, application: Application) -> Any:
    return factories.signed_in(client, factories.owner_of(application.business))
