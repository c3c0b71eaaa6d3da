"""Create public events and their deliveries in the transaction of the change.

So an event is delivered if and only if the change is committed. Only inserts rows; the dispatcher
is notified after the commit.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import connection, transaction

from apikeys.webhooks import envelope
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus
from apikeys.webhooks.models import (
    CHANNEL,
    PublicEvent,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.core import ids
from console.core.ids import HasPublicId
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import Told

EVERY_KIND = "*"
# Maximum number of endpoints of a business in one environment.
MOST_ENDPOINTS = 16

_COUNT = """
INSERT INTO webhooks_eventsequence AS known (resource_id, environment, newest) VALUES (%s, %s, 1)
ON CONFLICT (resource_id, environment) DO UPDATE SET newest = known.newest + 1
RETURNING newest
"""


def tell(event: Event, subject: HasPublicId) -> None:
    """Create the public events of an outbox event, and their deliveries."""
    for kind, told in public_kinds.told_of(event, subject):
        for environment in told.environments:
            _tell(kind.name, told, environment, event.happened_at)


def write_event(
    kind: str, told: Told, environment: str, at: datetime, *, is_numbered: bool = True
) -> PublicEvent:
    """Write an event as it is sent. Test events are not numbered."""
    event_id = ids.new("evt")
    sequence = _next_number(told.resource_id, environment) if is_numbered else None
    body = envelope.body_of(
        event_id=event_id,
        kind=kind,
        created_at=at,
        environment=environment,
        api_version=settings.API_VERSION,
        sequence=sequence,
        data=told.data.model_dump(mode="json"),
    )
    return PublicEvent.objects.create(
        public_id=event_id,
        business_id=told.business,
        environment=environment,
        kind=kind,
        resource_id=told.resource_id,
        sequence=sequence,
        body=body,
        created_at=at,
    )


def queue(
    pairs: Sequence[tuple[int, PublicEvent]], kind: DeliveryKind, at: datetime
) -> list[WebhookDelivery]:
    """Create a delivery for each pair of endpoint id and event; notify the dispatcher after commit.

    The events' bodies need not be loaded.
    """
    deliveries = WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            public_id=ids.new("whd"),
            endpoint_id=endpoint,
            event_id=event.public_id,
            event_created_at=event.created_at,
            event_kind=event.kind,
            kind=kind,
            status=DeliveryStatus.PENDING,
            created_at=at,
        )
        for endpoint, event in pairs
    )
    QueuedDelivery.objects.bulk_create(
        QueuedDelivery(
            public_id=delivery.public_id,
            endpoint_id=endpoint,
            event_id=event.public_id,
            event_created_at=event.created_at,
            resource_id=event.resource_id,
            kind=kind,
            created_at=at,
            due_at=at,
        )
        for delivery, (endpoint, event) in zip(deliveries, pairs, strict=True)
    )
    for endpoint in {endpoint for endpoint, _ in pairs}:
        transaction.on_commit(partial(wake, endpoint), robust=True)
    return deliveries


def wake(endpoint_pk: int) -> None:
    """Notify the dispatcher of an endpoint's deliveries. A lost notification costs a second."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(endpoint_pk)])


def _next_number(resource_id: str, environment: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [resource_id, environment])
        (number,) = cursor.fetchone() or (0,)
    return int(number)


def _tell(kind: str, told: Told, environment: str, at: datetime) -> None:
    event = write_event(kind, told, environment, at)
    wanting = WebhookEndpoint.objects.standing().filter(
        business=told.business,
        environment=environment,
        enabled_events__overlap=[kind, EVERY_KIND],
    )
    endpoints = wanting.order_by("pk").values_list("pk", flat=True)
    queue([(endpoint, event) for endpoint in endpoints], DeliveryKind.NORMAL, at)
