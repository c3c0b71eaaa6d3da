"""Write down what came of many deliveries, in one statement: queue, records, attempts and lanes."""

import json
from collections.abc import Sequence
from typing import Any

from apikeys.webhooks.dispatcher.database import DatabaseLink
from apikeys.webhooks.dispatcher.records import DELIVERED, Result

MOST = 1000

# A row counts down its lane only where it still held a lease when it left or was given back. What
# answers after its lease was taken away: a success is a delivery all the same, a failure is not
# heard.
_SETTLE = """
WITH result AS MATERIALIZED (
  SELECT * FROM json_to_recordset(%(results)s::json) AS r(
    n int, id bigint, lease uuid, delivery text, created timestamptz, endpoint bigint,
    environment text, number smallint, outcome text, wait float8, not_before float8,
    at float8, status smallint, error text, signed_with text, dns int, connect int,
    first_byte int, total int, excerpt text, down bool, overloaded bool, overlap bool)
), ended AS (
  DELETE FROM webhooks_queueddelivery AS q USING result AS r
  WHERE q.id = r.id AND (r.outcome = 'delivered'
    OR (r.outcome IN ('exhausted', 'outlived') AND q.lease = r.lease))
  RETURNING r.n, q.endpoint_id, q.lease_until IS NOT NULL AS leased
), returned AS (
  UPDATE webhooks_queueddelivery AS q
  SET lease = NULL, lease_until = NULL, due_at = now() + r.wait * interval '1 second',
    not_before = now() + r.not_before * interval '1 second'
  FROM result AS r
  WHERE q.id = r.id AND r.outcome = 'retry' AND q.lease = r.lease
  RETURNING r.n, q.endpoint_id
), counted AS MATERIALIZED (
  SELECT r.*,
    max(n) FILTER (WHERE outcome = 'delivered') OVER lane AS last_good,
    max(n) FILTER (WHERE NOT down) OVER lane AS last_up,
    max(n) FILTER (WHERE signed_with = 'previous') OVER lane AS last_previous
  FROM result AS r
  WHERE outcome = 'delivered' OR n IN (SELECT n FROM ended UNION ALL SELECT n FROM returned)
  WINDOW lane AS (PARTITION BY endpoint)
), attempted AS (
  INSERT INTO webhooks_deliveryattempt
    (delivery_id, environment, number, at, status, error, signed_with, dns_us, connect_us,
     first_byte_us, total_us, excerpt)
  SELECT delivery, environment, number, to_timestamp(at), status, error, signed_with, dns, connect,
    first_byte, total, excerpt
  FROM counted WHERE outcome <> 'outlived'
), recorded AS (
  UPDATE webhooks_webhookdelivery AS d
  SET attempts = CASE WHEN c.outcome = 'outlived' THEN d.attempts
      ELSE GREATEST(d.attempts, c.number) END,
    status = CASE c.outcome WHEN 'delivered' THEN 'delivered' WHEN 'retry' THEN d.status
      ELSE 'exhausted' END,
    ended_at = CASE c.outcome WHEN 'retry' THEN d.ended_at ELSE now() END
  FROM counted AS c
  WHERE d.public_id = c.delivery AND d.created_at = c.created
    AND d.created_at BETWEEN %(oldest)s AND %(newest)s
    AND (d.status <> 'delivered' OR c.outcome = 'delivered')
), told AS MATERIALIZED (
  SELECT endpoint, min(environment) AS environment,
    count(*) FILTER (WHERE outcome = 'delivered') AS good,
    count(*) FILTER (WHERE outcome <> 'delivered') AS bad,
    count(*) FILTER (WHERE n > COALESCE(last_good, -1)) AS failing,
    count(*) FILTER (WHERE n > COALESCE(last_up, -1)) AS down,
    bool_or(NOT down) AS up,
    bool_or(overloaded) AS overloaded,
    bool_or(status = 410) AS gone,
    (array_agg(error ORDER BY n DESC))[1] AS error,
    max(at) FILTER (WHERE outcome = 'delivered') AS good_at,
    max(at) FILTER (WHERE outcome <> 'delivered') AS bad_at,
    count(*) FILTER (WHERE overlap AND signed_with = 'previous') AS previous,
    count(*) FILTER (WHERE overlap AND outcome = 'delivered'
      AND n > COALESCE(last_previous, -1)) AS current
  FROM counted WHERE outcome <> 'outlived' GROUP BY endpoint
), freed AS MATERIALIZED (
  SELECT endpoint_id AS endpoint, count(*)::int AS places
  FROM (SELECT endpoint_id FROM ended WHERE leased
        UNION ALL SELECT endpoint_id FROM returned) AS row
  GROUP BY endpoint_id
), days AS (
  INSERT INTO webhooks_deliveryday AS known (endpoint_id, day, succeeded, failed)
  SELECT endpoint, (now() AT TIME ZONE 'UTC')::date, good, bad FROM told ORDER BY endpoint
  ON CONFLICT (endpoint_id, day) DO UPDATE
  SET succeeded = known.succeeded + excluded.succeeded, failed = known.failed + excluded.failed
), left_free AS (
  UPDATE webhooks_deliverylane AS l SET in_flight = l.in_flight - freed.places
  FROM freed
  WHERE l.endpoint_id = freed.endpoint AND freed.endpoint NOT IN (SELECT endpoint FROM told)
)
UPDATE webhooks_deliverylane AS l
SET in_flight = l.in_flight - COALESCE(freed.places, 0),
  last_success_at = COALESCE(to_timestamp(told.good_at), l.last_success_at),
  last_failure_at = COALESCE(to_timestamp(told.bad_at), l.last_failure_at),
  last_error = told.error,
  "window" = CASE WHEN told.overloaded THEN GREATEST(1, l.window / 2)
    ELSE LEAST(CASE told.environment WHEN 'live' THEN 32 ELSE 8 END,
      l.window + (l.window_successes + told.good) / 20) END,
  window_successes = CASE WHEN told.overloaded THEN 0
    ELSE (l.window_successes + told.good) %% 20 END,
  recovered_at = CASE WHEN l.breaker_step > 0 AND told.good > 0 THEN now()
    ELSE l.recovered_at END,
  previous_accepted = l.previous_accepted + told.previous,
  current_accepted = CASE WHEN told.previous > 0 THEN told.current
    ELSE l.current_accepted + told.current END,
  (consecutive_failures, failing_since, halted, breaker_failures, breaker_step, breaker_until) = (
    SELECT sums.failures,
      CASE WHEN told.failing = 0 THEN NULL
        WHEN told.good > 0 OR l.failing_since IS NULL THEN now() ELSE l.failing_since END,
      CASE WHEN l.halted <> '' THEN l.halted WHEN told.gone THEN 'gone'
        WHEN told.good = 0 AND sums.failures >= 25 AND l.failing_since <= now()
          - CASE told.environment WHEN 'live' THEN interval '72 hours'
            ELSE interval '24 hours' END
        THEN 'failing' ELSE '' END,
      sums.down,
      CASE WHEN told.up THEN 0 WHEN sums.opens THEN l.breaker_step + 1
        ELSE l.breaker_step END,
      CASE WHEN told.up THEN NULL
        WHEN sums.opens THEN now() + LEAST(300, 30 * 2 ^ LEAST(l.breaker_step, 8))
          * (0.8 + 0.2 * random()) * interval '1 second'
        ELSE l.breaker_until END
    FROM (
      SELECT failures, down, CASE WHEN l.breaker_step = 0 THEN down >= 5
        ELSE l.breaker_until <= now() END AS opens
      FROM (SELECT
        CASE WHEN told.good > 0 THEN told.failing ELSE l.consecutive_failures + told.bad END
          AS failures,
        CASE WHEN told.up THEN told.down ELSE l.breaker_failures + told.down END AS down
      ) AS counts
    ) AS sums
  )
FROM told LEFT JOIN freed ON freed.endpoint = told.endpoint
WHERE l.endpoint_id = told.endpoint
"""


async def write(database: DatabaseLink, results: Sequence[Result]) -> None:
    """Settle at most MOST results. It may be repeated where it is not known whether it worked."""
    created = [result.claimed.created_at for result in results]
    await database.rows(
        _SETTLE,
        {
            "results": json.dumps([_told(n, result) for n, result in enumerate(results)]),
            "oldest": min(created),
            "newest": max(created),
        },
    )


def _told(n: int, result: Result) -> dict[str, Any]:
    claimed, answer = result.claimed, result.answer
    return {
        "n": n,
        "id": claimed.id,
        "lease": claimed.lease,
        "delivery": claimed.delivery_id,
        "created": claimed.created_at.isoformat(),
        "endpoint": claimed.endpoint,
        "environment": claimed.environment,
        "number": claimed.attempt,
        "outcome": result.outcome,
        "wait": result.wait,
        "not_before": result.not_before,
        "at": answer.at,
        "status": answer.status,
        "error": answer.error,
        "signed_with": answer.signed_with,
        "dns": answer.dns_us,
        "connect": answer.connect_us,
        "first_byte": answer.first_byte_us,
        "total": answer.total_us,
        "excerpt": answer.excerpt,
        "down": result.outcome != DELIVERED and answer.is_down,
        "overloaded": answer.is_overloaded,
        "overlap": claimed.previous_secret is not None,
    }
