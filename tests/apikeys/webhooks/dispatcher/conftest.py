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
    # A proxy that does not exist: if it were used, nothing would be delivered.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


@pytest.fixture(autouse=True)
def kind(settings: Any) -> Iterator[None]:
    """A public event kind, and permission to use receivers on this machine."""
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
    """A dispatcher for the tests of a module, with a timeout of 2 s per delivery.

    A test ends when no delivery is in progress. Otherwise, its attempt could be saved while the
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
    """Publish an event for the endpoints, each time about another object."""
    for number in range(times):
        with transaction.atomic():
            outbox.publish("fact.happened", business, **{"resource": f"res_{number}", **payload})


def ended(count: int = 1) -> list[WebhookDelivery]:
    """Wait until this many deliveries have ended, and return them, oldest first."""
    over = WebhookDelivery.objects.exclude(status="pending").order_by("pk")
    eventually(lambda: over.count() >= count)
    return list(over)


def tried(times: int = 1) -> list[DeliveryAttempt]:
    """Wait until this many attempts are saved, and return them in order."""
    attempts = DeliveryAttempt.objects.order_by("pk")
    eventually(lambda: attempts.count() >= times)
    return list(attempts)


def be_due() -> None:
    """Make every delivery that waits for a retry due now."""
    QueuedDelivery.objects.filter(lease_until=None).update(due_at=clock.now())


def an_endpoint(receiver: Receiver, path: str = "/events", **members: Any) -> WebhookEndpoint:
    """A verified endpoint at the receiver, which has no limits for unverified ones."""
    members.setdefault("verified", True)
    members.setdefault("events", [world.KIND])
    return world.an_endpoint(url=receiver.url(path), **members)[0]
