"""One server made of several applications, each with threads of its own.

A request takes a thread only when it has arrived whole, and only where it waits for something: what
an application can say at once is said on the event loop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from console.server.bodies import ReceivedBodies, ReceivedBody
from console.server.clock import ConnectionClock
from console.server.environ import Environ
from console.server.pools import Tell, ThreadPool, Work, unfailing
from console.server.responses import RawResponse, WSGIApplication, respond
from console.server.shared_queue import QueuePosition, SharedQueue
from console.server.unserved import Busy, Unserved

_Receive = Callable[[], Awaitable[dict[str, Any]]]
_Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Mount:
    """An application, what is its own, its threads, and how it says that it does not answer.

    `largest` is of one body, in bytes; `bodies` bounds all that are kept of it at once.

    `begin` is called on the event loop, so it waits for nothing: it returns the answer, or the work
    that a thread has to do for it. Where it shares a `queue` with other processes, its pool has a
    thread for each place there: whoever was let in never waits for a thread.
    """

    takes: Callable[[str, str], bool]  # method, path
    begin: Callable[[Environ], RawResponse | Work]
    pool: ThreadPool
    largest: int
    refuse: Callable[[Environ, Unserved], RawResponse]
    bodies: ReceivedBodies = field(default_factory=ReceivedBodies)
    queue: SharedQueue | None = None

    @property
    def at_once(self) -> int:
        """How many of its requests an application works on at once, in this process."""
        return self.pool.threads if self.queue is None else self.queue.lanes

    def let_in(self, work: Work) -> Work | None:
        """Return the work as a thread has to do it; None where as many wait as may wait."""
        if self.queue is None:
            return None if self.pool.is_full else work
        position = self.queue.enter()
        return None if position is None else partial(_in_turn, position, work)


class ReceivedRequest(NamedTuple):
    """A request that has arrived whole."""

    mount: Mount
    environ: Environ
    body: ReceivedBody | None
    keeps_alive: bool

    def close(self) -> None:
        """Forget its body."""
        if self.body is not None:
            self.body.close()


def in_thread(application: WSGIApplication) -> Callable[[Environ], Work]:
    """Return how an application begins that may wait for anything."""
    return lambda environ: partial(respond, application, environ)


def _in_turn(position: QueuePosition, work: Work) -> RawResponse:
    """Work when it is one's turn, and let the next one in however that ends."""
    try:
        position.wait()
        return work()
    finally:
        position.leave()


class MountedApplications:
    """Hands each request to the first mount that takes it; the last one takes everything.

    To the server it is an ASGI application that lives and answers nothing: requests come from
    `HttpConnection`.
    """

    def __init__(
        self,
        mounts: Sequence[Mount],
        *,
        is_proxy: Callable[[str], bool],
        close: Callable[[], None],
        always: bytes = b"",
    ) -> None:
        self.is_proxy = is_proxy
        # The header lines of every answer, for those that no application makes.
        self.always = always
        self.clock = ConnectionClock()
        self._mounts = mounts
        self._close = close

    def mount_of(self, environ: Environ) -> Mount:
        """Return who answers a request."""
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        for mount in self._mounts:
            if mount.takes(method, path):
                return mount
        raise LookupError("The last mount takes everything.")

    def answer(self, request: ReceivedRequest, tell: Tell) -> None:
        """Have a request answered: at once, or later from a thread."""
        mount, environ = request.mount, request.environ
        found = unfailing(mount.begin, environ)
        work = found if isinstance(found, RawResponse) else unfailing(mount.let_in, found)
        if isinstance(work, RawResponse):
            tell(work)
        elif work is None:
            tell(refused(mount, environ, Busy()))
        else:
            mount.pool.submit(work, tell)

    async def __call__(self, scope: dict[str, Any], receive: _Receive, send: _Send) -> None:
        """Begin and end with the process (the lifespan of ASGI)."""
        pools = {id(mount.pool): mount.pool for mount in self._mounts}.values()
        while (event := (await receive())["type"]) != "lifespan.shutdown":
            loop = asyncio.get_running_loop()
            self.clock.start(loop)
            for pool in pools:
                pool.start(loop)
            await send({"type": f"{event}.complete"})
        for pool in pools:
            pool.stop()
        self.clock.stop()
        self._close()
        await send({"type": f"{event}.complete"})


def refused(mount: Mount, environ: Environ, unserved: Unserved) -> RawResponse:
    """Return how a mount says that it does not answer."""
    return unfailing(mount.refuse, environ, unserved)._replace(closes=True)
