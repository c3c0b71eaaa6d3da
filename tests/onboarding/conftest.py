"""An application being filled in, its owner's client, and a client of compliance."""

from typing import Any

import pytest
from django.test import Client

from console.accounts.roles import Role
from onboarding.models import Application
from tests import factories


@pytest.fixture
def application() -> Application:
    return factories.an_application()


@pytest.fixture
def staff() -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))


@pytest.fixture
def page(client: Client, application: Application) -> Any:
    return factories.signed_in(client, factories.owner_of(application.business))
