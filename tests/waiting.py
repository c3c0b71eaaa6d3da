"""Wait for a condition: long enough for slow machines, but no longer than needed."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection, transaction

T = TypeVar("T")
# A busy machine may need many seconds for what usually takes a moment.
PATIENCE = 120.0
# Stopping a test's server takes as long, half a second otherwise.
POLL = 0.01
# A first start migrates an empty database and compiles all templates, which takes minutes.
FIRST_START = 900.0


def eventually(
    holds: Callable[[], object], *, within: float = PATIENCE, every: float = 0.05
) -> None:
    """Wait until the condition is true, or fail. Seconds."""
    until = time.monotonic() + within
    while not holds():
        if time.monotonic() > until:
            pytest.fail(f"It did not come true within {within:g} s.")
        time.sleep(every)


def at_once(many: int, act: Callable[[int], T]) -> list[T]:
    """Return what `act` returns for 0, 1, 2 and so on, called by this many threads together."""
    start = threading.Barrier(many)

    def one(number: int) -> T:
        start.wait(PATIENCE)
        try:
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(one, range(many)))


def in_the_middle_of(first: Callable[[], object], second: Callable[[], object]) -> None:
    """Run the second while the first is done but not committed, each in its own thread."""
    done, waited = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                first()
                done.set()
                assert waited.wait(PATIENCE)
        finally:
            done.set()
            connection.close()

    def follow() -> None:
        try:
            second()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        holding = pool.submit(hold)
        assert done.wait(PATIENCE)
        following = pool.submit(follow)
        try:
            eventually(lambda: following.done() or _waits_for_a_lock())
        finally:
            waited.set()
        for one in (holding, following):
            one.result(PATIENCE)


def _waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        return cursor.fetchone() != (0,)


async def close_server(server: asyncio.Server) -> None:
    """Stop serving once the connections the server accepted are registered.

    asyncio forgets a connection that is accepted at the moment its server is closed.
    """
    loop = asyncio.get_running_loop()
    for listening in server.sockets:
        loop.remove_reader(listening.fileno())
    for _ in range(10):
        await asyncio.sleep(0)
    server.close()
