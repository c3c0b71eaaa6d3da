"""Deliveries of an endpoint: read them, resend one, send a test event."""

from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from pydantic import Field

from apikeys.lifecycle import Environment
from apikeys.webhooks import cancellation, endpoints, fan_out
from apikeys.webhooks.lifecycle import DeliveryKind, EndpointStatus
from apikeys.webhooks.models import (
    DeliveryAttempt,
    PublicEvent,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused, WrongStatus
from console.events.public_kinds import PublicData, Told

# The kind of test events. It cannot be selected, and every endpoint can receive it.
PING = "webhook_endpoint.ping"
# Counting stops here; pages then show "more than".
MOST_COUNTED = 10_000


class EventForgotten(Refused):
    """The event is past its retention period, so it cannot be sent again."""

    code = "event_forgotten"
    reason = "event_deleted"


class Ping(PublicData):
    """The `data` of a test event: the endpoint that receives it."""

    id: str = Field(description="The ID of the endpoint.")
    object: Literal["webhook_endpoint"] = Field(
        default="webhook_endpoint", description="The object type."
    )


def deliveries_to(endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
    """Return the deliveries of an endpoint, newest first."""
    rows = WebhookDelivery.objects.filter(endpoint=endpoint, created_at__gte=_oldest())
    return rows.order_by("-created_at", "-pk")


def find(business: Business, environment: Environment, public_id: str) -> WebhookDelivery | None:
    """Return a delivery of a business in one environment, or None."""
    rows = WebhookDelivery.objects.select_related("endpoint").filter(created_at__gte=_oldest())
    return rows.filter(
        public_id=public_id, endpoint__business=business, endpoint__environment=environment
    ).first()


def of_id(public_id: str, businesses: QuerySet[Business]) -> QuerySet[WebhookDelivery]:
    """Return the delivery with this ID, if it is one of these businesses'."""
    rows = WebhookDelivery.objects.select_related("endpoint__business")
    return rows.filter(
        public_id=public_id, created_at__gte=_oldest(), endpoint__business__in=businesses
    )


def attempts(delivery: WebhookDelivery) -> list[DeliveryAttempt]:
    """Return the stored attempts of a delivery, oldest first."""
    rows = DeliveryAttempt.objects.filter(
        delivery_id=delivery.public_id,
        environment=delivery.endpoint.environment,
        at__gte=delivery.created_at,
    )
    return list(rows.order_by("number", "at"))


def body(delivery: WebhookDelivery) -> bytes | None:
    """Return the body to send, or None if the event is past its retention period."""
    event = _event(delivery)
    return None if event is None else bytes(event.body)


def next_due(delivery: WebhookDelivery) -> datetime | None:
    """Return when the next attempt is due, or None if there is none or one is in progress."""
    waiting = QueuedDelivery.objects.filter(public_id=delivery.public_id, lease_until=None)
    return waiting.values_list("due_at", flat=True).first()


def pending(endpoint: WebhookEndpoint) -> int:
    """Return the number of pending deliveries; counts at most MOST_COUNTED + 1 waiting ones."""
    rows = QueuedDelivery.objects.filter(endpoint=endpoint)
    waiting = rows.filter(lease_until=None)[: MOST_COUNTED + 1].count()
    return waiting + rows.filter(lease_until__isnull=False).count()


@transaction.atomic
def ping(endpoint: WebhookEndpoint, *, by: Actor) -> WebhookDelivery:
    """Send a test event to one endpoint, regardless of the kinds it selects."""
    endpoint = endpoints.locked(endpoint, by)
    if endpoint.status == EndpointStatus.PAUSED:
        raise WrongStatus(
            "The endpoint is paused. Resume it, then send a test event.", reason="endpoint_paused"
        )
    now = clock.now()
    told = Told(
        business=endpoint.business_id,
        resource_id=endpoint.public_id,
        data=Ping(id=endpoint.public_id),
    )
    event = fan_out.write_event(PING, told, endpoint.environment, now, is_numbered=False)
    audit.record("webhook_endpoint.pinged", endpoint, by=by, environment=endpoint.environment)
    return _queue(endpoint, event, DeliveryKind.PING)


@transaction.atomic
def resend(delivery: WebhookDelivery, *, by: Actor) -> WebhookDelivery:
    """Resend the event of a delivery, byte for byte, as a new delivery."""
    endpoint = endpoints.locked(delivery.endpoint, by)
    event = _event(delivery)
    if event is None:
        days = settings.WEBHOOK_EVENT_DAYS
        raise EventForgotten(f"We keep events for {days} days. This one has been deleted.")
    audit.record(
        "webhook_delivery.resent",
        delivery,
        by=by,
        business=endpoint.business,
        environment=endpoint.environment,
        endpoint=endpoint.public_id,
        event=event.public_id,
    )
    return _queue(endpoint, event, DeliveryKind.REPLAY)


@transaction.atomic
def resume_without_held(endpoint: WebhookEndpoint, *, by: Actor) -> int:
    """Resume a paused endpoint, abandon its held deliveries, and return how many.

    Abandoned deliveries stay on record and can be resent individually or as a range.
    """
    endpoint = endpoints.locked(endpoint, by)
    if endpoint.status != EndpointStatus.PAUSED:
        raise WrongStatus("The endpoint is not paused, so it has no held events.")
    skipped = cancellation.leave_out(endpoint)
    audit.record(
        "webhook_endpoint.skipped_held",
        endpoint,
        by=by,
        environment=endpoint.environment,
        skipped=skipped,
    )
    endpoints.resume(endpoint, by=by)
    return skipped


def _queue(endpoint: WebhookEndpoint, event: PublicEvent, kind: DeliveryKind) -> WebhookDelivery:
    (delivery,) = fan_out.queue([(endpoint.pk, event)], kind, clock.now())
    return delivery


def _event(delivery: WebhookDelivery) -> PublicEvent | None:
    """Return the event of a delivery; filtering by time selects its partition."""
    return PublicEvent.objects.filter(
        public_id=delivery.event_id, created_at=delivery.event_created_at
    ).first()


def _oldest() -> datetime:
    """Return the start of the retention period, to exclude older partitions."""
    return clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS + 1)
