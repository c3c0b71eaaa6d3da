"""Connections to the database, each opened again when it breaks."""

from typing import Any

import psycopg
from django.conf import settings

# Every query here goes through an index, on tables that are empty now and hold millions in an
# hour: a plan that was made over the empty ones must not stay.
_OPTIONS = "-c enable_seqscan=off -c jit=off"


async def connect() -> "psycopg.AsyncConnection[Any]":
    """Return a new connection of the site's role, each statement a transaction of its own."""
    database = settings.DATABASES["default"]
    known = {
        "dbname": database["NAME"],
        "user": database["USER"],
        "password": database["PASSWORD"],
        "host": database["HOST"],
        "port": database["PORT"],
    }
    # What DATABASE_URL says wins over our own name; a pool is Django's own.
    more = {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
    said = {"application_name": "access-console deliver"} | more
    said["options"] = f"{more.get('options', '')} {_OPTIONS}".strip()
    return await psycopg.AsyncConnection.connect(
        **{name: value for name, value in known.items() if value}, **said, autocommit=True
    )


class DatabaseLink:
    """One connection for one loop: it is opened when it is needed, and again when it broke."""

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None

    async def rows(self, query: str, parameters: dict[str, Any] | None = None) -> list[Any]:
        """Run a statement and return its rows; raises psycopg.Error."""
        connection = await self._open()
        async with connection.cursor(binary=True) as cursor:
            await cursor.execute(query.encode(), parameters, prepare=True)
            return await cursor.fetchall() if cursor.description else []

    async def in_one(self, parameters: dict[str, Any], *queries: str) -> list[Any]:
        """Run statements in one transaction and return the last one's rows."""
        connection = await self._open()
        async with connection.transaction():
            for query in queries:
                found = await self.rows(query, parameters)
        return found

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _open(self) -> "psycopg.AsyncConnection[Any]":
        if self._connection is None or self._connection.broken or self._connection.closed:
            self._connection = await connect()
        return self._connection
