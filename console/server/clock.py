"""One clock for all connections: a timer for each would cost as much as answering."""

import asyncio
import logging
import time
from typing import Protocol

from console.server.unsent import UnsentAnswers

log = logging.getLogger(__name__)

# How late a deadline may be noticed.
_EVERY_SECONDS = 0.5


class Timed(Protocol):
    """Has a deadline, in the seconds of `time.monotonic`."""

    deadline: float

    def expire(self) -> None:
        """Act on a deadline that has passed."""


class ConnectionClock:
    """Tells connections that their time is over. Used in the event loop alone."""

    def __init__(self) -> None:
        self.unsent = UnsentAnswers()
        self._timed: set[Timed] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._timed)

    def add(self, one: Timed) -> None:
        self._timed.add(one)

    def discard(self, one: Timed) -> None:
        self._timed.discard(one)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to look; call it in the process that serves."""
        self._timer = loop.call_later(_EVERY_SECONDS, self._look, loop)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        # First of all: nothing that goes wrong below may stop the clock.
        self.start(loop)
        now = time.monotonic()
        for one in [one for one in self._timed if one.deadline <= now]:
            try:
                one.expire()
            except Exception:
                log.exception("connection_not_ended")
        self.unsent.look(now)
