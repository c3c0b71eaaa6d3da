"""A client with every scope in a sandbox of its own, without limits: their refill takes time."""

import pytest

from tests.api.asking import Client, a_client
from tests.api.calling import Caller


@pytest.fixture(autouse=True)
def _unlimited(unlimited: None) -> None: ...


@pytest.fixture
def plain() -> str:
    return a_client()


@pytest.fixture
def client(api: Caller, plain: str) -> Client:
    return Client(api, plain)
