"""Waiting for a condition: as long as a slow machine needs, and no longer than the condition."""

import time
from collections.abc import Callable

import pytest

# A machine that runs other work too may need many seconds for what usually takes a moment.
PATIENCE = 120.0


def eventually(
    holds: Callable[[], object], *, within: float = PATIENCE, every: float = 0.05
) -> None:
    """Wait until something holds, or fail. Seconds."""
    until = time.monotonic() + within
    while not holds():
        if time.monotonic() > until:
            pytest.fail(f"It did not come true within {within:g} s.")
        time.sleep(every)
