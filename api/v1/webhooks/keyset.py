"""Lists of rows that stand in several tables: one statement a page, in keyset order."""

from collections.abc import Sequence

from api.gateway.database import Database
from api.gateway.pages import BEGINNING, Window
from api.resources.reading import ApiRow

_LIST = """
SELECT {place}.id, {place}.created_at, {columns}
FROM {tables}
WHERE {where}
    AND ({place}.created_at, {place}.id) {side}
        (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::bigint)
ORDER BY {place}.created_at {order}, {place}.id {order}
LIMIT $3
"""


class KeysetList:
    """A list in the order of the table `place`. In `where` the caller's values begin with `$4`."""

    def __init__(self, *, place: str, columns: Sequence[str], tables: str, where: str) -> None:
        parts = {"place": place, "columns": ", ".join(columns), "tables": tables, "where": where}
        self._onward = _LIST.format(side="<", order="DESC", **parts)
        self._back = _LIST.format(side=">", order="ASC", **parts)

    def rows(self, database: Database, window: Window, *values: object) -> list[ApiRow]:
        """Return rows of (id, created_at, *columns), as `pages.page` takes them."""
        at = window.place or BEGINNING
        statement = self._back if at.back else self._onward
        return database.rows(statement, at.microseconds, at.id, window.fetch, *values)
