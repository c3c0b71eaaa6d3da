"""Threads of their own for each application, so that none can starve another."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, NamedTuple

from console.server.environ import Environ

# A thread that hangs is not waited for longer when everything ends.
_LAST_SECONDS = 5.0

WSGIApplication = Callable[..., Iterable[bytes]]


class RawResponse(NamedTuple):
    """A whole answer, as it goes out."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def respond(application: WSGIApplication, environ: Environ) -> RawResponse:
    """Return what an application answers, all of it."""
    said: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
        said[:] = status, headers

    parts = application(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        # Django ends a request here: in this thread, whose database connection it gives back.
        if close := getattr(parts, "close", None):
            close()
    status, headers = said
    return RawResponse(
        int(status[:3]), [(_name(name), value.encode("latin-1")) for name, value in headers], body
    )


@lru_cache(maxsize=256)
def _name(name: str) -> bytes:
    return name.lower().encode("latin-1")


_Job = tuple["asyncio.Future[RawResponse]", WSGIApplication, Environ]
_Done = tuple["asyncio.Future[RawResponse]", RawResponse | BaseException]


class ThreadPool:
    """A few threads and one queue, which has an end.

    Everything but the work itself happens in the event loop, so the count of who is in needs no
    lock. A standard executor would cost more for each hand-over, and its queue has no end.
    """

    def __init__(self, name: str, *, threads: int, waiting: int) -> None:
        self.name = name
        self._most = threads + waiting
        self._in = 0
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._done: deque[_Done] = deque()
        self._told = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
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
        for thread in self._threads:
            thread.join(_LAST_SECONDS)

    def submit(
        self, application: WSGIApplication, environ: Environ
    ) -> "asyncio.Future[RawResponse]":
        """Have a request answered; whoever asks has looked whether there is room."""
        future: asyncio.Future[RawResponse] = self._loop.create_future()
        self._in += 1
        self._jobs.put((future, application, environ))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, application, environ = job
            done: RawResponse | BaseException
            try:
                done = respond(application, environ)
            except BaseException as error:  # noqa: BLE001 - told to whoever waits for the answer
                done = error
            self._done.append((future, done))
            if not self._told:
                # Waking the loop costs as much as all checks of a call: once for many answers.
                self._told = True
                self._loop.call_soon_threadsafe(self._finish)

    def _finish(self) -> None:
        # First of all: what is done after this line is told anew.
        self._told = False
        while self._done:
            future, done = self._done.popleft()
            self._in -= 1
            if future.done():  # who asked has gone
                continue
            if isinstance(done, BaseException):
                future.set_exception(done)
            else:
                future.set_result(done)
