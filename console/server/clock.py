"""One clock for all connections: a timer for each would cost as much as answering."""

import asyncio
import logging
import time
from operator import itemgetter
from typing import Protocol

from console.server.unsent import UnsentAnswers

log = logging.getLogger(__name__)

# How late a deadline may be noticed.
_EVERY_SECONDS = 0.5
MOST_CONNECTIONS = 8192


class Timed(Protocol):
    """Has a deadline, in the seconds of `time.monotonic`."""

    deadline: float

    @property
    def turn(self) -> tuple[int, float] | None:
        """Return when it makes room for others, in order; None if it does not."""

    def expire(self) -> None:
        """Act on a deadline that has passed."""

    def abort(self) -> None:
        """End at once."""


class ConnectionClock:
    """Tells connections that their time is over. Used in the event loop alone."""

    def __init__(self) -> None:
        self.unsent = UnsentAnswers()
        self._timed: set[Timed] = set()
        self._timer: asyncio.TimerHandle | None = None
        # Who makes room, the first one last; looked for when it is needed, once for each look.
        self._dispensable: list[Timed] | None = None

    def __len__(self) -> int:
        return len(self._timed)

    def add(self, one: Timed) -> None:
        self._timed.add(one)

    def discard(self, one: Timed) -> None:
        self._timed.discard(one)

    def has_room(self) -> bool:
        """Tell whether one more may come; another one that asks for nothing is ended for it."""
        if len(self._timed) < MOST_CONNECTIONS:
            return True
        if self._dispensable is None:
            turns = [(turn, one) for one in self._timed if (turn := one.turn) is not None]
            turns.sort(key=itemgetter(0), reverse=True)
            self._dispensable = [one for _, one in turns]
        while self._dispensable:
            one = self._dispensable.pop()
            # What was seen a moment ago may be answered now, or gone.
            if one in self._timed and one.turn is not None:
                self._timed.discard(one)
                one.abort()
                return True
        return False

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to look; call it in the process that serves."""
        self._timer = loop.call_later(_EVERY_SECONDS, self._look, loop)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        # First of all: nothing that goes wrong below may stop the clock.
        self.start(loop)
        self._dispensable = None
        now = time.monotonic()
        for one in [one for one in self._timed if one.deadline <= now]:
            try:
                one.expire()
            except Exception:
                log.exception("connection_not_ended")
        self.unsent.look(now)
