"""A client with a sandbox, and an endpoint that it created."""

import pytest

from tests.api.asking import Client, a_client
from tests.api.resources.webhooks.calls import create


@pytest.fixture
def client(api):
    return Client(api, a_client())


@pytest.fixture
def made(client):
    return create(client).json
