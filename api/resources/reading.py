"""Read the rows of one table as the API shows them: in prepared statements, in keyset order."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.db import models

from api.gateway.database import Database
from api.gateway.pages import BEGINNING, PagePosition

ApiRow = tuple[Any, ...]

_LIST = """
SELECT id, created_at, {columns} FROM {table}
WHERE business_id = $1 AND environment = $2{kept}
    AND (created_at, id) {side}
        (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::bigint){filters}
ORDER BY created_at {order}, id {order}
LIMIT $5
"""
_FILTER = " AND (${number}::text[] = '{{}}' OR {name} = ANY (${number}::text[]))"
_FIRST_FILTER = 6
# The environment is compared by whoever asks: it tells an own row elsewhere from none at all.
_ONE = "SELECT environment, {columns} FROM {table} WHERE business_id = $1 AND public_id = $2{kept}"


class RowReader:
    """Reads some columns of a table that has a business, an environment and a moment of creation.

    `filters` are the columns that a list can be narrowed by, each to a list of texts.
    """

    def __init__(
        self, model: type[models.Model], columns: Sequence[str], *, filters: Sequence[str] = ()
    ) -> None:
        by_column = {field.column: field for field in model._meta.concrete_fields}
        as_text = {n for n in columns if isinstance(by_column[n], models.JSONField)}
        self.columns = tuple(columns)
        self._documents = [at for at, name in enumerate(columns) if name in as_text]
        parts = {
            "table": model._meta.db_table,
            # What was removed is kept for those that name it, and not shown.
            "kept": " AND removed_at IS NULL" if "removed_at" in by_column else "",
            "columns": ", ".join(f"{n}::text" if n in as_text else n for n in columns),
            "filters": "".join(
                _FILTER.format(number=number, name=name)
                for number, name in enumerate(filters, _FIRST_FILTER)
            ),
        }
        self._onward = _LIST.format(side="<", order="DESC", **parts)
        self._back = _LIST.format(side=">", order="ASC", **parts)
        self._one = _ONE.format(**parts)

    def page(
        self,
        database: Database,
        *,
        business: int,
        environment: str,
        place: PagePosition | None,
        count: int,
        filters: Sequence[Sequence[str]] = (),
    ) -> list[ApiRow]:
        """Return up to `count` rows of (id, created_at, *columns), read on from a place."""
        at = place or BEGINNING
        statement = self._back if at.back else self._onward
        wanted = [list(one) for one in filters]
        values = (business, environment, at.microseconds, at.id, count, *wanted)
        return [self._read(row, 2) for row in database.rows(statement, *values)]

    def one(self, database: Database, *, business: int, public_id: str) -> ApiRow | None:
        """Return (environment, *columns) of a business's own row, in whichever environment."""
        found = database.rows(self._one, business, public_id)
        return self._read(found[0], 1) if found else None

    def _read(self, row: ApiRow, first: int) -> ApiRow:
        """Read the documents of a row, which came as texts."""
        if not self._documents:
            return row
        read = list(row)
        for at in self._documents:
            text = row[first + at]
            read[first + at] = None if text is None else orjson.loads(text)
        return tuple(read)
