"""Database work of the dispatcher: in threads beside the event loop, and a connection to listen."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, ParamSpec, TypeVar

import psycopg
from django import db
from django.db import connection, models

P = ParamSpec("P")
R = TypeVar("R")


class DatabaseThread:
    """A thread with a connection of its own, which does one piece of work after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what the work returns; raises django.db.Error."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: _do(work, *args, **kwargs))

    async def close(self) -> None:
        await self.run(connection.close)
        self._thread.shutdown()


def _do(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return work(*args, **kwargs)
    except db.Error:
        connection.close()  # it may be broken: the next piece of work opens another
        raise


async def listening_connection() -> "psycopg.AsyncConnection[Any]":
    """Return a new connection for the event loop, as the settings have it."""
    parameters = connection.get_connection_params() | {"cursor_factory": psycopg.AsyncCursor}
    return await psycopg.AsyncConnection.connect(**parameters, autocommit=True)


def prefer_indexes(connection: Any, **_: object) -> None:
    """Let every plan go through an index: tables that are empty now hold millions in an hour."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; SET jit = off")


def now() -> datetime:
    """Return the database's time, which all dispatchers share."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchall()[0][0]
    return moment


def save(rows: Sequence[models.Model], *names: str) -> None:
    """Write those members of rows that are there and locked.

    An upsert, because `bulk_update` writes a CASE with a branch for each row and member.
    """
    if rows:
        model = type(rows[0])
        model._default_manager.bulk_create(
            rows, update_conflicts=True, unique_fields=["pk"], update_fields=names
        )
