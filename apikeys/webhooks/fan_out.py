"""Write what a business is told, and a delivery for each endpoint that wants it, with the change.

One place does it, inside the transaction of the change: an event that is committed is delivered,
one that is rolled back was never told. It only inserts rows; the dispatcher is woken after commit.
"""

from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import connection, transaction

from apikeys.webhooks import envelope
from apikeys.webhooks.dispatcher.records import CHANNEL
from console.core import ids
from console.core.ids import HasPublicId
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import Told

EVERY_KIND = "*"
# A business may have no more endpoints in one environment.
MOST_ENDPOINTS = 16

_COUNT = """
INSERT INTO webhooks_eventsequence AS known (resource_id, environment, newest) VALUES (%s, %s, 1)
ON CONFLICT (resource_id, environment) DO UPDATE SET newest = known.newest + 1
RETURNING newest
"""
_TELL = """
WITH event AS (
  INSERT INTO webhooks_publicevent
    (public_id, business_id, environment, kind, resource_id, sequence, body, created_at)
  VALUES (%(event)s, %(business)s, %(environment)s, %(kind)s, %(resource)s, %(sequence)s,
    %(body)s, %(at)s)
), wanting AS (
  SELECT id AS endpoint_id, (%(deliveries)s::text[])[row_number() OVER (ORDER BY id)] AS public_id
  FROM webhooks_webhookendpoint
  WHERE business_id = %(business)s AND environment = %(environment)s AND removed_at IS NULL
    AND enabled_events && ARRAY[%(kind)s, %(every)s]::varchar[]
), kept AS (
  INSERT INTO webhooks_webhookdelivery
    (public_id, endpoint_id, event_id, event_created_at, event_kind, kind, status, attempts,
     created_at)
  SELECT public_id, endpoint_id, %(event)s, %(at)s, %(kind)s, 'normal', 'pending', 0, %(at)s
  FROM wanting
)
INSERT INTO webhooks_queueddelivery
  (public_id, endpoint_id, event_id, event_created_at, resource_id, kind, created_at, attempts,
   due_at)
SELECT public_id, endpoint_id, %(event)s, %(at)s, %(resource)s, 'normal', %(at)s, 0, %(at)s
FROM wanting
RETURNING endpoint_id
"""


def tell(event: Event, subject: HasPublicId) -> None:
    """Write the public events that an event of the outbox stands for, and their deliveries."""
    for kind, told in public_kinds.told_of(event, subject):
        for environment in told.environments:
            _tell(kind.name, told, environment, event.happened_at)


def event_body(
    kind: str, told: Told, environment: str, at: datetime, *, counter: str = ""
) -> tuple[str, int, bytes]:
    """Return a new event's id, sequence and bytes. `counter` counts apart from the object's own."""
    event_id = ids.new("evt")
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [counter or told.resource_id, environment])
        (sequence,) = cursor.fetchone() or (0,)
    body = envelope.body_of(
        event_id=event_id,
        kind=kind,
        created_at=at,
        environment=environment,
        api_version=settings.API_VERSION,
        sequence=sequence,
        data=told.data.model_dump(mode="json"),
    )
    return event_id, sequence, body


def wake(endpoint_pk: int) -> None:
    """Tell the dispatcher that an endpoint has something. A notice that is lost costs a second."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(endpoint_pk)])


def _tell(kind: str, told: Told, environment: str, at: datetime) -> None:
    event_id, sequence, body = event_body(kind, told, environment, at)
    with connection.cursor() as cursor:
        cursor.execute(
            _TELL,
            {
                "event": event_id,
                "business": told.business,
                "environment": environment,
                "kind": kind,
                "every": EVERY_KIND,
                "resource": told.resource_id,
                "sequence": sequence,
                "body": body,
                "at": at,
                "deliveries": [ids.new("whd") for _ in range(MOST_ENDPOINTS)],
            },
        )
        found = [endpoint for (endpoint,) in cursor.fetchall()]
    for endpoint in found:
        transaction.on_commit(partial(wake, endpoint), robust=True)
