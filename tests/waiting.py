"""Wait for a condition: long enough for slow machines, but no longer than needed."""

import asyncio
import time
from collections.abc import Callable

import pytest

# A busy machine may need many seconds for what usually takes a moment.
PATIENCE = 120.0
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
