"""Database access of the dispatcher: worker threads, and an async connection for LISTEN."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import psycopg
from django import db
from django.db import connection, models

P = ParamSpec("P")
R = TypeVar("R")


class DatabaseThread:
    """A thread with its own database connection, which runs one job at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run `work` in the thread and return its result; raises django.db.Error."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: _do(work, *args, **kwargs))

    async def close(self) -> None:
        await self.run(db.connections.close_all)  # those of the thread
        self._thread.shutdown()


def _do(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return work(*args, **kwargs)
    except db.Error:
        connection.close()  # the connection may be broken; the next job opens another
        raise


async def listening_connection() -> "psycopg.AsyncConnection[Any]":
    """Return a new async connection with the parameters of the settings."""
    parameters = connection.get_connection_params() | {"cursor_factory": psycopg.AsyncCursor}
    return await psycopg.AsyncConnection.connect(**parameters, autocommit=True)


def prefer_indexes(connection: Any, **_: object) -> None:
    """Make the planner use indexes, because an empty table may have millions of rows in an hour."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; SET jit = off")


def save(rows: Sequence[models.Model], *names: str) -> None:
    """Save these fields of existing, locked rows.

    Uses an upsert, because `bulk_update` writes a CASE with a branch for each row and field.
    """
    if rows:
        model = type(rows[0])
        model._default_manager.bulk_create(
            rows, update_conflicts=True, unique_fields=["pk"], update_fields=names
        )
