"""One ASGI application made of several WSGI applications, each with threads of its own.

A request takes a thread only when it has arrived whole. One without a body has arrived with its
headers; the body of another is received on the event loop, where waiting costs nothing.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from console.server.bodies import BodyReceiver, Receive, discard
from console.server.environ import Environ, environ_of
from console.server.pools import RawResponse, ThreadPool, WSGIApplication
from console.server.unserved import Busy, TooLarge, Unserved

Send = Callable[[dict[str, Any]], Awaitable[None]]
AsgiScope = dict[str, Any]

_CLOSE = (b"connection", b"close")


@dataclass(frozen=True)
class Mount:
    """An application, what is its own, its threads, and how it says that it does not answer."""

    takes: Callable[[str, str], bool]  # method, path
    application: WSGIApplication
    pool: ThreadPool
    largest: int
    refuse: Callable[[Environ, Unserved], RawResponse]


class BufferedApplication:
    """Hands each request to the first mount that takes it; the last one takes everything."""

    def __init__(
        self,
        mounts: Sequence[Mount],
        *,
        is_proxy: Callable[[str], bool],
        close: Callable[[], None],
        bodies: BodyReceiver | None = None,
    ) -> None:
        self._mounts = mounts
        self._is_proxy = is_proxy
        self._close = close
        self._bodies = bodies or BodyReceiver()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._live(receive, send)
            return
        environ = environ_of(scope, self._is_proxy)
        mount = self._mount_of(environ)
        try:
            response = await self._answer(mount, environ, receive)
        except Unserved as unserved:
            status, headers, body = mount.refuse(environ, unserved)
            await _send(send, RawResponse(status, [*headers, _CLOSE], body))
            if isinstance(unserved, TooLarge):
                await discard(receive)
        else:
            await _send(send, response)

    def _mount_of(self, environ: Environ) -> Mount:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        return next(mount for mount in self._mounts if mount.takes(method, path))

    async def _answer(self, mount: Mount, environ: Environ, receive: Receive) -> RawResponse:
        if "HTTP_TRANSFER_ENCODING" not in environ and environ.get("CONTENT_LENGTH", "0") == "0":
            return await self._submit(mount, environ)
        if int(environ.get("CONTENT_LENGTH", "0")) > mount.largest:
            raise TooLarge
        body = await self._bodies.receive(receive, mount.largest)
        try:
            environ.pop("HTTP_TRANSFER_ENCODING", None)
            environ["CONTENT_LENGTH"] = str(body.tell())
            body.seek(0)
            environ["wsgi.input"] = body
            return await self._submit(mount, environ)
        finally:
            self._bodies.release(body)

    async def _submit(self, mount: Mount, environ: Environ) -> RawResponse:
        if mount.pool.is_full:
            raise Busy
        return await mount.pool.submit(mount.application, environ)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Begin and end with the process (the lifespan of ASGI)."""
        while (event := (await receive())["type"]) != "lifespan.shutdown":
            self._start(asyncio.get_running_loop())
            await send({"type": f"{event}.complete"})
        for pool in self._pools():
            pool.stop()
        self._close()
        await send({"type": f"{event}.complete"})

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        for pool in self._pools():
            pool.start(loop)

        def told_to_stop(*_: object) -> None:
            loop.call_soon_threadsafe(self._bodies.stop)

        # Beside the server's own handler, which the loop goes on calling: the server then waits
        # for every request that it has begun, and those half-sent would keep it waiting.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, told_to_stop)

    def _pools(self) -> list[ThreadPool]:
        return list({id(mount.pool): mount.pool for mount in self._mounts}.values())


async def _send(send: Send, response: RawResponse) -> None:
    await send(
        {"type": "http.response.start", "status": response.status, "headers": response.headers}
    )
    await send({"type": "http.response.body", "body": response.body})
