"""The demo's webhook endpoints, all at its own receiver, verified or not."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from api.demo import receiver, saved_keys
from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries, endpoints, enforcement, fan_out, verification
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus
from apikeys.webhooks.models import (
    DeliveryAttempt,
    DeliveryDay,
    DeliveryLane,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.core import clock, ids
from console.events import public_kinds
from console.events.public_kinds import Told

# The response to each request of a verification.
_ROUND = {"P1": 204, "N1": 401, "N2": 401, "N3": 401, "N4": 401, "N5": 401}
_WELL = ("virtual_account.active", "deposit.settled", "transfer.completed", "deposit.settled")
_FAILED = "transfer.failed"
# Age of the endpoint.
_EARLIER = timedelta(hours=2)
_TAKEN = 204
# Minutes at which attempts failed; the sixth was the last.
_FAILED_AT = (0, 0, 1, 3, 13, 43)
_BUSY = (503, "The receiver answered 503.")


@transaction.atomic
def load(business: Business, *, by: User) -> None:
    """Create the sandbox endpoint with past deliveries, if there is none.

    Only if the demo may deliver to this machine; otherwise the URL would be refused.
    """
    endpoint = _create(business, Environment.SANDBOX, "The demo's own receiver", by=by)
    if endpoint is None:
        return
    _verify(endpoint, by=by)
    begun = clock.now() - _EARLIER
    for number, name in enumerate(_WELL):
        _deliver(_told(endpoint, name, begun + timedelta(minutes=7 * number)))
    _give_up(_told(endpoint, _FAILED, begun))
    _let_wait(deliveries.ping(endpoint, by=by))
    _count(endpoint)


@transaction.atomic
def load_live(business: Business, *, verified: bool, by: User) -> None:
    """Create the live endpoint, if there is none.

    Until someone verifies an unverified endpoint, deliveries about the account wait.
    """
    words = "The demo's own receiver" if verified else "To be verified before the first live key"
    endpoint = _create(business, Environment.LIVE, words, by=by)
    if endpoint is not None and verified:
        _verify(endpoint, by=by)


def _create(
    business: Business, environment: Environment, description: str, *, by: User
) -> WebhookEndpoint | None:
    """Return a new endpoint at our receiver, or None if one exists or is not allowed."""
    there = WebhookEndpoint.objects.of(business).filter(environment=environment)
    if not settings.WEBHOOK_ALLOW_HTTP or there.exists():
        return None
    endpoint, secret = endpoints.create(
        business,
        environment,
        url=receiver.url(),
        enabled_events=["*"],
        description=description,
        by=by,
    )
    saved_keys.keep(endpoint.public_id, secret)
    return endpoint


def _verify(endpoint: WebhookEndpoint, *, by: User) -> None:
    probe = verification.ask(endpoint, by=by)
    verification.settle(probe, _round(), method=enforcement.PROBE, by=SYSTEM)


def _round() -> list[dict[str, object]]:
    return [
        {
            "probe": name,
            "expected": "2xx" if name.startswith("P") else "4xx",
            "status": status,
            "error": "",
            "held": True,
        }
        for name, status in _ROUND.items()
    ]


def _told(endpoint: WebhookEndpoint, name: str, at: datetime) -> WebhookDelivery:
    """Create an event of this kind from its documented sample, and a delivery at that time."""
    kind = next(kind for kind in public_kinds.every() if kind.name == name)
    told = Told(
        business=endpoint.business_id,
        resource_id=str(kind.sample.model_dump()["id"]),
        data=kind.sample,
    )
    event = fan_out.write_event(name, told, endpoint.environment, at)
    return WebhookDelivery.objects.create(
        public_id=ids.new("whd"),
        endpoint=endpoint,
        event_id=event.public_id,
        event_created_at=at,
        event_kind=name,
        kind=DeliveryKind.NORMAL,
        status=DeliveryStatus.PENDING,
        created_at=at,
    )


def _deliver(delivery: WebhookDelivery) -> None:
    _attempt(delivery, 1, delivery.created_at, status=_TAKEN)
    _end(delivery, DeliveryStatus.DELIVERED, delivery.created_at, attempts=1)


def _give_up(delivery: WebhookDelivery) -> None:
    for number, minutes in enumerate(_FAILED_AT, start=1):
        at = delivery.created_at + timedelta(minutes=minutes, seconds=5 * number)
        _attempt(delivery, number, at, status=_BUSY[0], error=_BUSY[1])
    _end(delivery, DeliveryStatus.EXHAUSTED, at, attempts=len(_FAILED_AT))


def _let_wait(delivery: WebhookDelivery) -> None:
    """Make a delivery wait: the receiver was busy and asked for a ten-hour delay."""
    _attempt(delivery, 1, delivery.created_at, status=_BUSY[0], error=_BUSY[1])
    due = clock.now() + timedelta(hours=10)
    QueuedDelivery.objects.filter(public_id=delivery.public_id).update(
        attempts=1, due_at=due, not_before=due
    )
    delivery.attempts = 1
    delivery.save(update_fields=["attempts"])


def _end(delivery: WebhookDelivery, to: DeliveryStatus, at: datetime, *, attempts: int) -> None:
    delivery.status, delivery.attempts, delivery.ended_at = to, attempts, at
    delivery.save(update_fields=["status", "attempts", "ended_at"])


def _attempt(
    delivery: WebhookDelivery, number: int, at: datetime, *, status: int, error: str = ""
) -> None:
    DeliveryAttempt.objects.create(
        delivery_id=delivery.public_id,
        environment=delivery.endpoint.environment,
        number=number,
        at=at,
        status=status,
        error=error,
        dns_us=140,
        connect_us=380,
        first_byte_us=9_100 + 400 * number,
        total_us=9_300 + 400 * number,
    )


def _count(endpoint: WebhookEndpoint) -> None:
    """Record the counts that the dispatcher would have kept for these attempts."""
    now = clock.now()
    failed = len(_FAILED_AT) + 1
    DeliveryDay.objects.create(
        endpoint=endpoint, day=now.date(), succeeded=len(_WELL), failed=failed
    )
    DeliveryLane.objects.filter(endpoint=endpoint).update(
        last_success_at=now, last_failure_at=now, last_error=_BUSY[1]
    )
