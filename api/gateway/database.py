"""The gateway's own database connections: one a thread, autocommit, prepared statements.

They stand beside Django's, whose transactions must not hold the limiter or the log, and whose every
query costs several times as much. Statements are prepared once a connection and executed through
libpq without a cursor: for a call that reads one row, that halves what asking costs.
"""

import re
import threading
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection, connections
from psycopg import errors, pq
from psycopg.adapt import PyFormat, Transformer

DatabaseRow = tuple[Any, ...]

# A gateway that waits for the database longer than this answers 503.
_TIMEOUT_MS = 5000
_ANSWERED = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
_PLACE = re.compile(r"\$(\d+)")


class Database:
    """Hands each thread its connection, and opens a new one when the old one has died."""

    def __init__(self) -> None:
        self._here = threading.local()

    def connect(self) -> psycopg.Connection[DatabaseRow]:
        """Open a connection with the site's own settings."""
        settings = connections["default"].settings_dict
        known = {
            "dbname": settings["NAME"],
            "user": settings["USER"],
            "password": settings["PASSWORD"],
            "host": settings["HOST"],
            "port": settings["PORT"],
        }
        # What DATABASE_URL says wins over our own; a pool is Django's own.
        more = {name: value for name, value in settings["OPTIONS"].items() if name != "pool"}
        ours = f"-c statement_timeout={_TIMEOUT_MS} -c TimeZone=UTC"
        said: dict[str, Any] = {
            "connect_timeout": 3,
            "tcp_user_timeout": _TIMEOUT_MS,
            "application_name": "gateway",
            **more,
            "options": f"{more.get('options', '')} {ours}".strip(),
        }
        return psycopg.connect(
            **{name: value for name, value in known.items() if value},
            **said,
            autocommit=True,
        )

    def rows(self, statement: str, *values: object) -> list[DatabaseRow]:
        """Run one statement, with `$1` and so on for its values, and return its rows."""
        try:
            return self._link().rows(statement, values)
        except psycopg.OperationalError:
            self.close()
        return self._link().rows(statement, values)

    def copy(self, statement: str, rows: str) -> None:
        """Write many rows at once, in PostgreSQL's own text format."""
        with self._link().connection.cursor().copy(statement.encode()) as copy:
            copy.write(rows)

    def close(self) -> None:
        """Close this thread's connection; the next statement opens another."""
        link, self._here.link = getattr(self._here, "link", None), None
        if link is not None:
            link.connection.close()

    def _link(self) -> "_Link":
        link: _Link | None = getattr(self._here, "link", None)
        if link is None:
            link = self._here.link = _Link(self.connect())
        return link


class DjangoDatabase(Database):
    """Runs the same statements over Django's connection, within whatever transaction it is in.

    A page of the console has one already; and what a transaction has changed, it alone can see.
    """

    def rows(self, statement: str, *values: object) -> list[DatabaseRow]:
        """Run one statement, with `$1` and so on for its values, and return its rows."""
        places = _PLACE.sub(r"%(v\1)s", statement.replace("%", "%%"))
        named: dict[str, Any] = {f"v{at}": value for at, value in enumerate(values, 1)}
        with connection.cursor() as cursor:
            cursor.execute(places, named)
            return list(cursor.fetchall())


class _Link:
    """One connection, and the statements that it has prepared."""

    def __init__(self, connection: psycopg.Connection[DatabaseRow]) -> None:
        self.connection = connection
        self._adapt = Transformer(connection)
        self._prepared: dict[str, bytes] = {}

    def __del__(self) -> None:
        # A thread that ends takes its connection along.
        self.connection.close()

    def rows(self, statement: str, values: Sequence[object]) -> list[DatabaseRow]:
        # As text and without types: the server knows what each place of a statement holds.
        dumped: Any = self._adapt.dump_sequence(values, [PyFormat.TEXT] * len(values))
        name = self._prepared.get(statement) or self._prepare(statement)
        result = self.connection.pgconn.exec_prepared(name, dumped, result_format=pq.Format.BINARY)
        self._check(result)
        self._adapt.set_pgresult(result)
        return self._adapt.load_rows(0, result.ntuples, tuple)

    def _prepare(self, statement: str) -> bytes:
        name = f"gateway_{len(self._prepared)}".encode()
        self._check(self.connection.pgconn.prepare(name, statement.encode()))
        self._prepared[statement] = name
        return name

    def _check(self, result: pq.abc.PGresult) -> None:
        if result.status in _ANSWERED:
            return
        if self.connection.pgconn.status != pq.ConnStatus.OK:
            raise psycopg.OperationalError("The connection to the database is lost.")
        raise errors.error_from_result(result)
