"""Give back what a lost dispatcher held, and bring forward what a recovery frees."""

import logging

from apikeys.webhooks.dispatcher import retries
from apikeys.webhooks.dispatcher.database import DatabaseLink
from apikeys.webhooks.dispatcher.failures import WORKER_LOST

log = logging.getLogger(__name__)

# So many rows are brought forward in one statement.
_PAGE = 5000
# Within so many seconds after a recovery, everything that waited is due.
_SPREAD = 60

_REAP = """
WITH lost AS MATERIALIZED (
  SELECT q.id, e.environment,
    q.attempts >= CASE WHEN e.verification = 'unverified' THEN %(unproved)s
    WHEN e.environment = 'live' THEN %(live)s ELSE %(sandbox)s END AS over
  FROM webhooks_queueddelivery AS q JOIN webhooks_webhookendpoint AS e ON e.id = q.endpoint_id
  WHERE q.lease_until < now()
  ORDER BY q.lease_until LIMIT 1000
  FOR UPDATE OF q SKIP LOCKED
), ended AS (
  DELETE FROM webhooks_queueddelivery AS q USING lost WHERE q.id = lost.id AND lost.over
  RETURNING q.endpoint_id, q.public_id, q.attempts, q.created_at, lost.environment, true AS over
), returned AS (
  UPDATE webhooks_queueddelivery AS q SET lease = NULL, lease_until = NULL, due_at = now()
  FROM lost WHERE q.id = lost.id AND NOT lost.over
  RETURNING q.endpoint_id, q.public_id, q.attempts, q.created_at, lost.environment, false AS over
), freed AS MATERIALIZED (
  SELECT * FROM ended UNION ALL SELECT * FROM returned
), attempted AS (
  INSERT INTO webhooks_deliveryattempt
    (delivery_id, environment, number, at, error, signed_with, excerpt)
  SELECT public_id, environment, attempts, now(), %(error)s, 'current', '' FROM freed
), recorded AS (
  UPDATE webhooks_webhookdelivery AS d
  SET attempts = GREATEST(d.attempts, freed.attempts),
    status = CASE WHEN freed.over THEN 'exhausted' ELSE d.status END,
    ended_at = CASE WHEN freed.over THEN now() ELSE d.ended_at END
  FROM freed WHERE d.public_id = freed.public_id AND d.created_at = freed.created_at
), lanes AS (
  UPDATE webhooks_deliverylane AS l SET in_flight = l.in_flight - places.count
  FROM (SELECT endpoint_id, count(*)::int FROM freed GROUP BY endpoint_id) AS places
  WHERE l.endpoint_id = places.endpoint_id
)
SELECT count(*) FROM freed
"""
_SUSPECT = """
SELECT l.endpoint_id FROM webhooks_deliverylane AS l
LEFT JOIN (
  SELECT endpoint_id, count(*) FROM webhooks_queueddelivery WHERE lease_until IS NOT NULL
  GROUP BY endpoint_id
) AS leased ON leased.endpoint_id = l.endpoint_id
WHERE l.in_flight <> COALESCE(leased.count, 0)
"""
# Two statements: the second counts what is committed once nobody else changes the lane.
_HOLD = "SELECT FROM webhooks_deliverylane WHERE endpoint_id = %(endpoint)s FOR UPDATE"
_CORRECT = """
UPDATE webhooks_deliverylane AS l SET in_flight = leased.count
FROM (
  SELECT count(*)::int FROM webhooks_queueddelivery
  WHERE endpoint_id = %(endpoint)s AND lease_until IS NOT NULL
) AS leased
WHERE l.endpoint_id = %(endpoint)s AND l.in_flight <> leased.count
RETURNING l.in_flight
"""
_RECOVERED = """
SELECT endpoint_id, recovered_at FROM webhooks_deliverylane WHERE recovered_at IS NOT NULL
"""
_FORWARD = """
WITH later AS (
  SELECT id FROM webhooks_queueddelivery
  WHERE endpoint_id = %(endpoint)s AND lease_until IS NULL
    AND due_at > now() + %(spread)s * interval '1 second'
    AND (not_before IS NULL OR not_before < due_at - interval '1 second')
  ORDER BY due_at, id LIMIT %(page)s FOR UPDATE SKIP LOCKED
), forward AS (
  UPDATE webhooks_queueddelivery AS q
  SET due_at = GREATEST(now() + random() * %(spread)s * interval '1 second', q.not_before)
  FROM later WHERE q.id = later.id RETURNING q.id
)
SELECT count(*) FROM forward
"""
_DONE = """
UPDATE webhooks_deliverylane SET recovered_at = NULL
WHERE endpoint_id = %(endpoint)s AND recovered_at = %(recovered_at)s
"""


async def reap(database: DatabaseLink) -> int:
    """Give back what was leased and not settled in time; return how many there were."""
    rows = await database.rows(
        _REAP,
        {
            "live": retries.MOST_LIVE,
            "sandbox": retries.MOST_SANDBOX,
            "unproved": retries.MOST_UNPROVED,
            "error": WORKER_LOST,
        },
    )
    count: int = rows[0][0]
    if count:
        log.warning("deliveries_given_back", extra={"count": count})
    return count


async def reconcile(database: DatabaseLink) -> int:
    """Correct lanes that count more or fewer under way than there are. Each one is a fault."""
    corrected = 0
    for (endpoint,) in await database.rows(_SUSPECT):
        found = await database.in_one({"endpoint": endpoint}, _HOLD, _CORRECT)
        corrected += len(found)
    if corrected:
        log.error("lanes_corrected", extra={"count": corrected})
    return corrected


async def bring_forward(database: DatabaseLink) -> None:
    """Let what waits for a receiver that answers again be due within a minute."""
    for endpoint, recovered_at in await database.rows(_RECOVERED):
        known = {"endpoint": endpoint, "spread": _SPREAD, "page": _PAGE}
        while (await database.rows(_FORWARD, known))[0][0] == _PAGE:
            pass
        await database.rows(_DONE, {"endpoint": endpoint, "recovered_at": recovered_at})
