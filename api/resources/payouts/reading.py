"""Read payouts in one prepared statement, in keyset order."""

from typing import Any

from api.gateway.database import Database
from api.gateway.pages import BEGINNING, PagePosition

PayoutRow = tuple[Any, ...]

_COLUMNS = """
SELECT id, created_at, public_id, status, amount, currency, bank_account::text, reference,
    metadata::text, failure_reason, created_at, settles_at
FROM payouts_payout
WHERE business_id = $1 AND environment = $2
"""
_LIST = """
    AND (created_at, id) {side}
        (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::bigint)
ORDER BY created_at {order}, id {order}
LIMIT $5
"""
_ONWARD = _COLUMNS + _LIST.format(side="<", order="DESC")
_BACK = _COLUMNS + _LIST.format(side=">", order="ASC")
_ONE = _COLUMNS + " AND public_id = $3"


def rows(
    database: Database, *, business: int, environment: str, place: PagePosition | None, count: int
) -> list[PayoutRow]:
    """Return up to `count` payouts, read on from a place; from the beginning without one."""
    at = place or BEGINNING
    values = (business, environment, at.microseconds, at.id, count)
    return database.rows(_BACK if at.back else _ONWARD, *values)


def named(
    database: Database, *, business: int, environment: str, public_id: str
) -> list[PayoutRow]:
    """Return the payout of this business and environment that has the id, if there is one."""
    return database.rows(_ONE, business, environment, public_id)
