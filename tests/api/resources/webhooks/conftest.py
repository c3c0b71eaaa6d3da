"""A client with a sandbox, and an endpoint that it created."""

import pytest

from tests.api.resources.webhooks.calls import create


@pytest.fixture
def made(client):
    return create(client).json
