"""Take deliveries that wait out of the queue for good. Their records say what became of them.

Each is one statement with its own choice of rows, worked off in pages: nobody waits for a long one.
"""

from django.conf import settings
from django.db import connection

from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import WebhookEndpoint

# The most that is held for one endpoint, the oldest first; what comes after is left out.
MOST_HELD = 1_000_000
_PAGE = 5000

_END = """
WITH chosen AS (
  {choice} LIMIT %(page)s FOR UPDATE OF q SKIP LOCKED
), gone AS (
  DELETE FROM webhooks_queueddelivery AS q USING chosen WHERE q.id = chosen.id
  RETURNING q.public_id, q.created_at
), recorded AS (
  UPDATE webhooks_webhookdelivery AS d SET status = %(status)s, ended_at = now()
  FROM gone
  WHERE d.public_id = gone.public_id AND d.created_at = gone.created_at AND d.status = 'pending'
)
SELECT count(*) FROM gone
"""
# Endpoints are found by one step into the index for each, whatever waits for them.
_WAITING = """
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id FROM webhooks_queueddelivery WHERE lease_until IS NULL
   ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id FROM waiting CROSS JOIN LATERAL (
    SELECT endpoint_id FROM webhooks_queueddelivery
    WHERE lease_until IS NULL AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id LIMIT 1
  ) AS next
)
"""
_OF_ENDPOINT = """
  SELECT q.id FROM webhooks_queueddelivery AS q
  WHERE q.endpoint_id = %(endpoint)s AND q.lease_until IS NULL AND q.id >= %(since)s
"""
_OUTLIVED = """
  SELECT q.id FROM webhooks_queueddelivery AS q
  WHERE q.event_created_at < now() - %(days)s * interval '1 day' AND q.lease_until IS NULL
"""
_REMOVED = """
SELECT waiting.endpoint_id FROM waiting
JOIN webhooks_webhookendpoint AS e ON e.id = waiting.endpoint_id AND e.removed_at IS NOT NULL
"""
# For most endpoints the inner choice ends after the few rows that there are.
_TOO_MANY = """
SELECT waiting.endpoint_id, (
  SELECT q.id FROM webhooks_queueddelivery AS q
  WHERE q.endpoint_id = waiting.endpoint_id AND q.lease_until IS NULL
  ORDER BY q.id OFFSET %(most)s LIMIT 1
)
FROM waiting
WHERE EXISTS (
  SELECT FROM webhooks_queueddelivery AS q
  WHERE q.endpoint_id = waiting.endpoint_id AND q.lease_until IS NULL
  ORDER BY q.due_at, q.id OFFSET %(most)s LIMIT 1
)
"""


def leave_out(endpoint: WebhookEndpoint) -> int:
    """Abandon what waits for an endpoint, and return how many that were."""
    return _abandon(endpoint.pk)


def abandon_removed() -> None:
    """Abandon what waits for removed endpoints."""
    for (endpoint,) in _rows(_WAITING + _REMOVED):
        _abandon(endpoint)


def leave_out_what_is_too_much() -> list[int]:
    """Abandon the newest of what waits where it is more than MOST_HELD; return the endpoints."""
    found = _rows(_WAITING + _TOO_MANY, most=MOST_HELD)
    for endpoint, since in found:
        _abandon(endpoint, since=since)
    return [endpoint for endpoint, _ in found]


def end_outlived() -> None:
    """End what waits for an event that is no longer kept: its endpoint was paused all the time."""
    _end(_OUTLIVED, DeliveryStatus.EXHAUSTED, days=settings.WEBHOOK_EVENT_DAYS)


def _abandon(endpoint: int, *, since: int = 0) -> int:
    return _end(_OF_ENDPOINT, DeliveryStatus.ABANDONED, endpoint=endpoint, since=since)


def _end(choice: str, status: DeliveryStatus, **parameters: int) -> int:
    """Take the chosen rows out, page by page, and return how many they were."""
    query, ended = _END.format(choice=choice), 0
    while True:
        ((count,),) = _rows(query, page=_PAGE, status=str(status), **parameters)
        ended += count
        if count < _PAGE:
            return ended


def _rows(query: str, **parameters: int | str) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[int, ...]] = cursor.fetchall()
    return rows
