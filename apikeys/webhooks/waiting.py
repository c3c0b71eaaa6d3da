"""Find the endpoints that deliveries wait for, at a cost that no backlog changes."""

from django.db import connection

# One step into the index for each endpoint. `due_at` is the endpoint's earliest.
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
# For most endpoints the inner choice ends after the few rows that there are.
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
    """Return the keys of all endpoints that something waits for."""
    return [endpoint for endpoint, _ in _rows(_ALL)]


def endpoints_due() -> list[int]:
    """Return the keys of all endpoints with something due, whether they may be sent to or not."""
    return [endpoint for endpoint, _ in _rows(_DUE)]


def endpoints_with_more_than(most: int) -> list[tuple[int, int]]:
    """Return the endpoints that more waits for, and the key from which on it is too much."""
    return _rows(_TOO_MANY, {"most": most})


def _rows(query: str, parameters: dict[str, int] | None = None) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[int, int]] = cursor.fetchall()
    return rows
