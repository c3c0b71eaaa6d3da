"""Read balances in one prepared statement, in keyset order."""

from collections.abc import Sequence
from typing import Any

from api.gateway.database import Database
from api.gateway.pages import BEGINNING, PagePosition

BalanceRow = tuple[Any, ...]

# Rows begin with id and created_at, as a page wants them.
_STATEMENT = """
SELECT id, created_at, currency, available, pending, reserved, last_reconciled_at
FROM balances_balance
WHERE business_id = $1 AND environment = $2
    AND (created_at, id) {side}
        (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::bigint)
    AND ($5::text[] = '{{}}' OR currency = ANY ($5::text[]))
ORDER BY created_at {order}, id {order}
LIMIT $6
"""
_ONWARD = _STATEMENT.format(side="<", order="DESC")
_BACK = _STATEMENT.format(side=">", order="ASC")


def rows(
    database: Database,
    *,
    business: int,
    environment: str,
    currencies: Sequence[str],
    place: PagePosition | None,
    count: int,
) -> list[BalanceRow]:
    """Return up to `count` balances, read on from a place; from the beginning without one."""
    at = place or BEGINNING
    values = (business, environment, at.microseconds, at.id, list(currencies), count)
    return database.rows(_BACK if at.back else _ONWARD, *values)
