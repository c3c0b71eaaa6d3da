"""The door's own database connections: one a thread, autocommit, prepared statements.

They stand beside Django's, which cost three times as much for a query, and whose transactions must
not hold the limiter or the log.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psycopg
from django.db import connections

Params = Sequence[Any] | Mapping[str, Any]
Cursor = psycopg.Cursor[tuple[Any, ...]]

# A door that waits for the database longer than this answers 503.
_TIMEOUT_MS = 5000


class Database:
    """Hands each thread its connection, and opens a new one when the old one has died."""

    def __init__(self) -> None:
        self._here = threading.local()

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        """Open a connection with the site's own settings."""
        settings = connections["default"].settings_dict
        return psycopg.connect(
            dbname=settings["NAME"],
            user=settings["USER"] or None,
            password=settings["PASSWORD"] or None,
            host=settings["HOST"] or None,
            port=settings["PORT"] or None,
            autocommit=True,
            prepare_threshold=0,
            connect_timeout=3,
            options=f"-c statement_timeout={_TIMEOUT_MS} -c TimeZone=UTC",
            application_name="door",
        )

    def rows(self, query: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """Run one statement on this thread's connection and return its rows."""
        try:
            return self._rows(query, params)
        except psycopg.OperationalError:
            self.close()
        return self._rows(query, params)

    def copy(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write many rows at once."""
        with self._cursor().copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def run(self, statement: str, params: Params = ()) -> None:
        """Run one statement that returns nothing."""
        self._cursor().execute(statement.encode(), params)

    def close(self) -> None:
        """Close this thread's connection; the next statement opens another."""
        cursor, self._here.cursor = getattr(self._here, "cursor", None), None
        if cursor is not None:
            cursor.connection.close()

    def _rows(self, query: str, params: Params) -> list[tuple[Any, ...]]:
        return self._cursor().execute(query.encode(), params).fetchall()

    def _cursor(self) -> Cursor:
        """Return this thread's cursor: making one for each statement costs as much as asking."""
        cursor: Cursor | None = getattr(self._here, "cursor", None)
        if cursor is None:
            cursor = self._here.cursor = self.connect().cursor(binary=True)
        return cursor
