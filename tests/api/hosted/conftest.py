"""A payer's client on the checkout host, and a business's client of the API."""

import pytest

from tests.api.asking import Client
from tests.api.calling import Caller
from tests.api.hosted.payers import Payer, a_shop


@pytest.fixture
def shop(api: Caller) -> Client:
    return a_shop(api)


@pytest.fixture
def payer() -> Payer:
    return Payer()
