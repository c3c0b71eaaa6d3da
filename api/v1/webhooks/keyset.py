"""Lists of rows that stand in several tables: one statement a page, in keyset order."""

import re
from collections.abc import Sequence
from typing import Any

from django.db import connection

from api.gateway.pages import BEGINNING, Window
from api.sandbox.reading import ApiRow

_PLACE = re.compile(r"\$(\d+)")
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

    def rows(self, window: Window, *values: object) -> list[ApiRow]:
        """Return rows of (id, created_at, *columns), as `pages.page` takes them."""
        at = window.place or BEGINNING
        statement = self._back if at.back else self._onward
        return ask(statement, at.microseconds, at.id, window.fetch, *values)


def ask(statement: str, *values: object) -> list[ApiRow]:
    """Run one statement, with `$1` and so on for its values, and return its rows."""
    places = _PLACE.sub(r"%(v\1)s", statement.replace("%", "%%"))
    named: dict[str, Any] = {f"v{at}": value for at, value in enumerate(values, 1)}
    with connection.cursor() as cursor:
        cursor.execute(places, named)
        return list(cursor.fetchall())
