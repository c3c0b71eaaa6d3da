"""The door's own database connections: one a thread, autocommit, prepared statements.

They stand beside Django's, which cost three times as much for a query, and whose transactions must
not hold the limiter or the log.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from django.db import connections
from psycopg.abc import Query

# A door that waits for the database longer than this answers 503.
_TIMEOUT_MS = 5000


class Database:
    """Hands each thread its connection, and opens a new one when the old one has died."""

    def __init__(self) -> None:
        self._here = threading.local()

    def connect(self) -> psycopg.Connection[Any]:
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

    def rows(
        self, query: Query, params: Sequence[Any] | Mapping[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        """Run one statement on this thread's connection and return its rows."""
        try:
            return self._run(query, params)
        except psycopg.OperationalError:
            self.close()
        return self._run(query, params)

    def cursor(self) -> psycopg.Cursor[Any]:
        """Return a cursor on this thread's connection."""
        return self._connection().cursor()

    def close(self) -> None:
        """Close this thread's connection; the next statement opens another."""
        connection, self._here.connection = getattr(self._here, "connection", None), None
        if connection is not None:
            connection.close()

    def _run(
        self, query: Query, params: Sequence[Any] | Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection().execute(query, params).fetchall()
        return found

    def _connection(self) -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] | None = getattr(self._here, "connection", None)
        if connection is None:
            connection = self._here.connection = self.connect()
        return connection
