"""Take deliveries that are due: a turn for each endpoint, and of one resource one at a time."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from apikeys.webhooks.dispatcher.database import DatabaseLink
from apikeys.webhooks.dispatcher.records import Claimed

LANES = 64
# A lease lasts for so many of the longest attempts: whoever has not settled by then is lost.
LEASE_TIMEOUTS = 4
# So many of one endpoint in one turn.
TURN = 8
# So many of one business are under way at once, over all its endpoints.
OF_A_BUSINESS = 128
# So far into an endpoint's queue one looks for resources of which none is under way.
_NEAR = 64

# Every endpoint with something due, by one step into the index for each: what an endpoint's backlog
# holds is never walked through.
_DUE = """
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
SELECT endpoint_id FROM waiting WHERE due_at <= now()
"""

# The lanes are locked, so two dispatchers never give one endpoint its turn at once. A live endpoint
# that never proved itself gets test events alone.
_CLAIM = """
WITH turn AS MATERIALIZED (
  SELECT l.endpoint_id, l.served_at, e.business_id, pace.seconds,
    e.environment = 'live' AND e.verification = 'unverified' AS holds,
    LEAST(
      CASE WHEN e.verification = 'unverified' OR l.breaker_step > 0 THEN 1 ELSE l.window END
        - l.in_flight,
      floor((GREATEST(1, pace.seconds) - GREATEST(0,
        extract(epoch FROM COALESCE(l.paced_until, now()) - now()))) / pace.seconds + 1e-6)::int,
      %(turn)s
    ) AS room
  FROM webhooks_deliverylane AS l
  JOIN webhooks_webhookendpoint AS e ON e.id = l.endpoint_id
  CROSS JOIN LATERAL (
    SELECT (CASE WHEN e.verification = 'unverified' THEN 1.0
      WHEN e.environment = 'live' THEN %(live_pace)s ELSE %(sandbox_pace)s END)::float8 AS seconds
  ) AS pace
  WHERE l.endpoint_id = ANY(%(endpoints)s)
    AND e.removed_at IS NULL AND e.status = 'active' AND l.halted = ''
    AND (l.breaker_step = 0 OR (l.breaker_until <= now() AND l.in_flight = 0))
  ORDER BY l.served_at
  LIMIT %(lanes)s
  FOR UPDATE OF l SKIP LOCKED
), bounded AS MATERIALIZED (
  SELECT turn.*, GREATEST(0, LEAST(room, %(business)s - busy.places - COALESCE(
    sum(GREATEST(room, 0)) OVER (
      PARTITION BY business_id ORDER BY served_at, endpoint_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0)))::int AS places
  FROM turn CROSS JOIN LATERAL (
    SELECT COALESCE(sum(other.in_flight), 0) AS places
    FROM webhooks_webhookendpoint AS mine
    JOIN webhooks_deliverylane AS other ON other.endpoint_id = mine.id
    WHERE mine.business_id = turn.business_id
  ) AS busy
), chosen AS MATERIALIZED (
  SELECT first.id FROM bounded AS b CROSS JOIN LATERAL (
    SELECT apart.id, apart.due_at FROM (
      SELECT DISTINCT ON (near.resource_id) near.id, near.due_at FROM (
        (SELECT id, resource_id, due_at FROM webhooks_queueddelivery
         WHERE endpoint_id = b.endpoint_id AND lease_until IS NULL AND due_at <= now()
           AND NOT b.holds
         ORDER BY due_at, id LIMIT %(near)s)
        UNION ALL
        (SELECT id, resource_id, due_at FROM webhooks_queueddelivery
         WHERE endpoint_id = b.endpoint_id AND lease_until IS NULL AND due_at <= now()
           AND b.holds AND kind = 'ping'
         ORDER BY due_at, id LIMIT %(near)s)
      ) AS near
      WHERE NOT EXISTS (
        SELECT FROM webhooks_queueddelivery AS under_way
        WHERE under_way.endpoint_id = b.endpoint_id AND under_way.lease_until IS NOT NULL
          AND under_way.resource_id = near.resource_id
      )
      ORDER BY near.resource_id, near.due_at, near.id
    ) AS apart
    ORDER BY apart.due_at, apart.id LIMIT b.places
  ) AS first
  ORDER BY b.served_at, b.endpoint_id, first.due_at, first.id
  LIMIT %(free)s
), locked AS MATERIALIZED (
  SELECT id FROM webhooks_queueddelivery
  WHERE id = ANY(ARRAY(SELECT id FROM chosen)) AND lease_until IS NULL
  FOR UPDATE SKIP LOCKED
), leased AS (
  UPDATE webhooks_queueddelivery AS q
  SET lease = %(lease)s, lease_until = now() + %(lease_seconds)s * interval '1 second',
    attempts = q.attempts + 1
  FROM locked WHERE q.id = locked.id
  RETURNING q.id, q.public_id, q.kind, q.attempts, q.created_at, q.event_id, q.event_created_at,
    q.endpoint_id
), counted AS (
  UPDATE webhooks_deliverylane AS l
  SET in_flight = l.in_flight + given.count, served_at = now(),
    paced_until = GREATEST(COALESCE(l.paced_until, now()), now())
      + given.count * b.seconds * interval '1 second'
  FROM (SELECT endpoint_id, count(*) FROM leased GROUP BY endpoint_id) AS given
  JOIN bounded AS b ON b.endpoint_id = given.endpoint_id
  WHERE l.endpoint_id = given.endpoint_id
)
SELECT b.endpoint_id, extract(epoch FROM clock_timestamp())::float8,
  q.id, q.public_id, q.kind, q.attempts, q.created_at, q.event_id, event.kind, event.body,
  q.event_created_at < now() - %(kept_days)s * interval '1 day',
  e.public_id, e.url, e.environment, e.verification = 'unverified', e.secret,
  CASE WHEN e.previous_secret_ends_at > now() AND l.current_accepted < 3
    THEN e.previous_secret END
FROM bounded AS b
JOIN webhooks_webhookendpoint AS e ON e.id = b.endpoint_id
JOIN webhooks_deliverylane AS l ON l.endpoint_id = b.endpoint_id
LEFT JOIN leased AS q ON q.endpoint_id = b.endpoint_id
LEFT JOIN LATERAL (
  SELECT kind, body FROM webhooks_publicevent
  WHERE public_id = q.event_id AND created_at = q.event_created_at
) AS event ON true
ORDER BY q.id
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one claim brought: deliveries, the endpoints it looked at, and the database's time."""

    deliveries: list[Claimed]
    looked_at: set[int]
    now: float | None


async def due(database: DatabaseLink) -> list[int]:
    """Return the keys of all endpoints with something due, whether they may be sent to or not."""
    return [endpoint for (endpoint,) in await database.rows(_DUE)]


async def take(database: DatabaseLink, endpoints: Collection[int], free: int) -> Claim:
    """Lease at most `free` deliveries of those endpoints, the longest unserved first."""
    lease = str(uuid.uuid4())
    rows = await database.rows(
        _CLAIM,
        {
            "endpoints": list(endpoints),
            "lanes": min(LANES, free),
            "free": free,
            "turn": TURN,
            "near": _NEAR,
            "business": OF_A_BUSINESS,
            "live_pace": 1 / settings.WEBHOOK_LIVE_RATE,
            "sandbox_pace": 1 / settings.WEBHOOK_SANDBOX_RATE,
            "lease": lease,
            "lease_seconds": LEASE_TIMEOUTS * settings.WEBHOOK_TIMEOUT_SECONDS,
            "kept_days": settings.WEBHOOK_EVENT_DAYS,
        },
    )
    return Claim(
        [_claimed(row, lease) for row in rows if row[2] is not None],
        {row[0] for row in rows},
        rows[0][1] if rows else None,
    )


def _claimed(row: Any, lease: str) -> Claimed:
    endpoint, _, key, delivery, kind, attempt, created, event, event_kind, body, old, *rest = row
    return Claimed(
        key, lease, delivery, kind, attempt, created, event, event_kind or "", body, old, endpoint,
        *rest,
    )  # fmt: skip
