"""Read balances in one prepared statement, in keyset order."""

from collections.abc import Sequence
from typing import Any

from api.door.database import Database
from api.door.pages import Place

Row = tuple[Any, ...]
_NOWHERE = Place(0, 0)

# Rows begin with id and created_at, as a page wants them.
_COLUMNS = "id, created_at, currency, available, pending, reserved, last_reconciled_at"
_WHERE = """
FROM balances_balance
WHERE business_id = %(business)s AND environment = %(environment)s
    AND (%(currencies)s::text[] = '{{}}' OR currency = ANY (%(currencies)s::text[]))
    AND (%(start)s::bool OR (created_at, id) {sign}
        (timestamptz 'epoch' + %(microseconds)s * interval '1 microsecond', %(id)s::bigint))
ORDER BY created_at {order}, id {order}
LIMIT %(count)s
"""
# Both statements are made of our own words; values are always parameters.
_ONWARD = f"SELECT {_COLUMNS} {_WHERE.format(sign='<', order='DESC')}"  # noqa: S608
_BACK = f"SELECT {_COLUMNS} {_WHERE.format(sign='>', order='ASC')}"  # noqa: S608


def rows(
    database: Database,
    *,
    business: int,
    environment: str,
    currencies: Sequence[str],
    place: Place | None,
    count: int,
) -> list[Row]:
    """Return up to `count` balances, read on from a place; from the beginning without one."""
    at = place or _NOWHERE
    values = {
        "business": business,
        "environment": environment,
        "currencies": list(currencies),
        "start": place is None,
        "microseconds": at.microseconds,
        "id": at.id,
        "count": count,
    }
    return database.rows(_BACK if at.back else _ONWARD, values)


