"""What a financial call asks of the database before it begins, in one statement.

The key's record as it is now, and a token of each of its two limits. Asked one after the other they
would be three waits, and those are most of what a refusal or an answer costs.
"""

from api.gateway.caller_limits import NamedPolicy
from api.gateway.database import Database
from api.gateway.limiter import Limiter
from api.gateway.rate_limits import LimitState
from api.gateway.records import COLUMNS, TABLES, KeyRecord
from console.core import gcra

_TABLE, _NOW = "gateway_bucket", gcra.DATABASE_CLOCK
_FIRST = gcra.take_sql(_TABLE, _NOW, name="$2", asked="1", burst="$3", cost="$4")
# Of the second only where the first has one, as if they were asked one after the other.
_SECOND = gcra.take_sql(
    _TABLE, _NOW, name="$5", asked="1", burst="$6", cost="$7", only_if="EXISTS (SELECT FROM first)"
)
# Only names of our own stand in it; values are always parameters.
_ASK = f"""
WITH first AS ({_FIRST}), second AS ({_SECOND})
SELECT first.ahead, second.ahead, {COLUMNS}
FROM {TABLES} LEFT JOIN first ON true LEFT JOIN second ON true
WHERE api_key.public_id = $1
"""  # noqa: S608


def ask(
    database: Database, limiter: Limiter, key_id: str, first: NamedPolicy, second: NamedPolicy
) -> tuple[KeyRecord | None, dict[str, LimitState]]:
    """Return the key's record, and how each bucket stands of which a token was taken."""
    limits = (first, second)
    values = [each for bucket, policy in limits for each in (bucket, policy.burst, policy.cost)]
    rows = database.rows(_ASK, key_id, *values)
    if not rows:
        return None, {}
    *ahead, row = rows[0][0], rows[0][1], rows[0][2:]
    taken = {
        bucket: limiter.took(bucket, policy, far)
        for (bucket, policy), far in zip(limits, ahead, strict=True)
        if far is not None
    }
    return KeyRecord.of(row), taken
