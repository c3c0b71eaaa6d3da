"""An application in the making, and its owner at the page."""

from typing import Any

import pytest
from django.test import Client

from onboarding.models import Application
from tests import given


@pytest.fixture
def application() -> Application:
    return given.an_application()


@pytest.fixture
def page(client: Client, application: Application) -> Any:
    return given.signed_in(client, given.owner_of(application.business))
