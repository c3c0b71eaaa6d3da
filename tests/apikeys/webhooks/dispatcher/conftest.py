"""A dispatcher for each module, and a receiver for each test."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.models import Business
from console.events import outbox
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.dispatcher.receiver import Receiver
from tests.services import Services

HERE = {"WEBHOOK_EGRESS_ALLOW_CIDRS": "127.0.0.1/32", "WEBHOOK_ALLOW_HTTP": "1"}


@pytest.fixture(autouse=True)
def kind(settings: Any) -> Iterator[None]:
    """A kind to tell of, and receivers on this machine."""
    settings.WEBHOOK_ALLOW_HTTP = True
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.1/32"]
    with world.a_kind():
        yield


@pytest.fixture(scope="module")
def deliver(django_db_setup: None) -> Iterator[Services]:
    """A dispatcher that runs while the tests of a module do. It is quick to give a delivery up."""
    beside = Services()
    beside.start("deliver", **HERE, WEBHOOK_TIMEOUT_SECONDS="2", WEBHOOK_LEASE_SECONDS="8")
    yield beside
    beside.stop_all()


@pytest.fixture
def receiver(transactional_db: None) -> Iterator[Receiver]:
    receiver = Receiver()
    receiver.start()
    yield receiver
    receiver.stop()


def happen(business: Business, times: int = 1, **payload: object) -> None:
    """Let the fact happen that endpoints are told of, each time of another object."""
    for number in range(times):
        with transaction.atomic():
            outbox.publish("fact.happened", business, **{"resource": f"res_{number}", **payload})


def an_endpoint(receiver: Receiver, path: str = "/events", **members: Any) -> WebhookEndpoint:
    """A verified endpoint at the receiver: it is sent to without the limits of an unknown one."""
    members.setdefault("verified", True)
    return world.an_endpoint(url=receiver.url(path), **members)[0]
