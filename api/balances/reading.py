"""Read balances in one prepared statement, in keyset order."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from api.door.database import Database
from api.door.pages import Place

Row = tuple[Any, ...]

# Rows begin with id and created_at, as a page wants them.
_COLUMNS = "id, created_at, currency, available, pending, reserved, last_reconciled_at"
_AT = "(timestamptz 'epoch' + %s * interval '1 microsecond', %s::bigint)"
_PLACES = {None: "", False: f"AND (created_at, id) < {_AT}", True: f"AND (created_at, id) > {_AT}"}
_FILTERS = {False: "", True: "AND currency = ANY (%s)"}


def _statement(*, filtered: bool, back: bool | None) -> str:
    order = "ASC" if back else "DESC"
    # Made of our own words alone; every value is a parameter.
    return (
        f"SELECT {_COLUMNS} FROM balances_balance WHERE business_id = %s AND environment = %s "  # noqa: S608
        f"{_FILTERS[filtered]} {_PLACES[back]} ORDER BY created_at {order}, id {order} LIMIT %s"
    )


_STATEMENTS = {
    (filtered, back): _statement(filtered=filtered, back=back)
    for filtered, back in product(_FILTERS, _PLACES)
}


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
    values: list[Any] = [business, environment]
    if currencies:
        values.append(list(currencies))
    if place:
        values += [place.microseconds, place.id]
    values.append(count)
    return database.rows(_STATEMENTS[bool(currencies), place.back if place else None], values)
