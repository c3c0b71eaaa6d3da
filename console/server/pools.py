"""Threads of their own for each application, so that none can starve another."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from console.server.responses import FAILED, RawResponse

_Found = TypeVar("_Found")

log = logging.getLogger(__name__)

# A thread that hangs is not waited for longer when everything ends.
_LAST_SECONDS = 5.0

# What is left to do in a thread until there is an answer, and who is told on the event loop.
Work = Callable[[], RawResponse]
Tell = Callable[[RawResponse], None]


class ThreadPool:
    """A few threads and one queue, which has an end.

    Everything but the work itself happens in the event loop, so the count of who is in needs no
    lock. A standard executor would cost more for each hand-over, and its queue has no end.
    """

    def __init__(self, name: str, *, threads: int, waiting: int) -> None:
        self.name = name
        self.threads = threads
        self._most = threads + waiting
        self._in = 0
        self._jobs: SimpleQueue[tuple[Work, Tell] | None] = SimpleQueue()
        self._done: deque[tuple[Tell, RawResponse]] = deque()
        self._told = False
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]

    @property
    def is_full(self) -> bool:
        return self._in >= self._most

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to work for this loop. Call it in the process that serves, never before a fork."""
        self._loop = loop
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what waits, and end the threads."""
        for _ in self._threads:
            self._jobs.put(None)
        until = time.monotonic() + _LAST_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def submit(self, work: Work, tell: Tell) -> None:
        """Have something done; whoever asks has looked whether there is room."""
        self._in += 1
        self._jobs.put((work, tell))

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, tell = job
            self._done.append((tell, unfailing(work)))
            if not self._told:
                # Waking the loop costs as much as all checks of a call: once for many answers.
                self._told = True
                self._loop.call_soon_threadsafe(self._finish)

    def _finish(self) -> None:
        # First of all: what is done after this line is told anew.
        self._told = False
        while self._done:
            tell, response = self._done.popleft()
            self._in -= 1
            tell(response)


def unfailing(work: Callable[..., _Found], *given: Any) -> _Found | RawResponse:
    """Return what was found; what is raised instead is ours to look into, and answers 500."""
    try:
        return work(*given)
    except BaseException:
        log.exception("request_failed")
        return FAILED
