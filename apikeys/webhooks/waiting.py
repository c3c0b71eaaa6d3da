"""Find endpoints with waiting deliveries, at a cost that does not depend on the backlog."""

from django.db import connection

# A loose index scan: one step per endpoint. `due_at` is the endpoint's earliest.
_WAITING = """
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, due_at FROM webhooks_queueddelivery WHERE lease_until IS NULL
   ORDER BY endpoint_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.due_at FROM waiting CROSS JOIN LATERAL (
    SELECT endpoint_id, due_at FROM webhooks_queueddelivery
    WHERE lease_until IS NULL AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id, due_at LIMIT 1
  ) AS next
)
"""
_ALL = f"{_WAITING} SELECT endpoint_id, due_at FROM waiting"  # noqa: S608
_DUE = f"{_ALL} WHERE due_at <= now()"
# For most endpoints, the inner query ends after a few rows.
_TOO_MANY = f"""
{_WAITING}
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
"""  # noqa: S608


def endpoints() -> list[int]:
    """Return the ids of all endpoints with waiting deliveries."""
    return [endpoint for endpoint, _ in _rows(_ALL)]


def endpoints_due() -> list[int]:
    """Return the ids of all endpoints with due deliveries, whether or not they may be sent."""
    return [endpoint for endpoint, _ in _rows(_DUE)]


def endpoints_with_more_than(most: int) -> list[tuple[int, int]]:
    """Return the endpoints with more waiting deliveries than `most`, and the first id beyond it."""
    return _rows(_TOO_MANY, {"most": most})


def _rows(query: str, parameters: dict[str, int] | None = None) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[int, int]] = cursor.fetchall()
    return rows
