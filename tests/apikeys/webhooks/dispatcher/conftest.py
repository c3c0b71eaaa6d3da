"""A dispatcher for each module, and a receiver for each test."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from apikeys.webhooks.models import (
    DeliveryAttempt,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.accounts.models import Business
from console.core import clock
from console.events import outbox
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.dispatcher.receiver import Receiver
from tests.services import Services
from tests.waiting import eventually

HERE = {
    "WEBHOOK_EGRESS_ALLOW_CIDRS": "127.0.0.1/32",
    "WEBHOOK_ALLOW_HTTP": "1",
    # A proxy of the host that is none, so whatever heeded it would deliver nothing.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


@pytest.fixture(autouse=True)
def kind(settings: Any) -> Iterator[None]:
    """A kind to tell of, and receivers on this machine."""
    settings.WEBHOOK_ALLOW_HTTP = True
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.1/32"]
    with world.a_kind():
        yield


@pytest.fixture(scope="module")
def _dispatcher(django_db_setup: None) -> Iterator[Services]:
    beside = Services()
    netrc = beside.folder / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password leaked\n")
    beside.start("deliver", **HERE, NETRC=str(netrc), WEBHOOK_TIMEOUT_SECONDS="2")
    yield beside
    beside.stop_all()


@pytest.fixture
def deliver(_dispatcher: Services, transactional_db: None) -> Iterator[Services]:
    """A dispatcher that runs while the tests of a module do, and gives a delivery up after 2 s.

    A test ends when no delivery is under way. Otherwise its attempt could be written while the
    tables are emptied, and the next test would find it.
    """
    yield _dispatcher
    eventually(lambda: not QueuedDelivery.objects.exclude(lease=None).exists())


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


def ended(count: int = 1) -> list[WebhookDelivery]:
    """Wait until so many deliveries have ended, and return them, the first one first."""
    over = WebhookDelivery.objects.exclude(status="pending").order_by("pk")
    eventually(lambda: over.count() >= count)
    return list(over)


def tried(times: int = 1) -> list[DeliveryAttempt]:
    """Wait until so many attempts are written down, and return them in order."""
    attempts = DeliveryAttempt.objects.order_by("pk")
    eventually(lambda: attempts.count() >= times)
    return list(attempts)


def be_due() -> None:
    """Let every delivery that waits for its next attempt be due now."""
    QueuedDelivery.objects.filter(lease_until=None).update(due_at=clock.now())


def an_endpoint(receiver: Receiver, path: str = "/events", **members: Any) -> WebhookEndpoint:
    """A verified endpoint at the receiver: it is sent to without the limits of an unknown one."""
    members.setdefault("verified", True)
    members.setdefault("events", [world.KIND])
    return world.an_endpoint(url=receiver.url(path), **members)[0]
