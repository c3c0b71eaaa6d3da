"""A local webhook receiver whose behaviour the test defines."""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.waiting import close_server

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass(frozen=True)
class Heard:
    """A received request."""

    path: str
    headers: dict[str, str]
    body: bytes


Reply = Callable[[Heard, asyncio.StreamWriter], Awaitable[None]]


def says(status: int, body: bytes = b"", *headers: str) -> Reply:
    """Answer every request with this status, body and further header lines."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", *headers]

    async def reply(heard: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    return reply


def sends(raw: bytes, *, then_close: bool = True) -> Reply:
    """Answer every request with these bytes unchanged."""

    async def reply(heard: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        if then_close:
            writer.close()

    return reply


@dataclass
class Receiver:
    """Listens in its own thread. `replies` are by path; other paths get 200.

    `heard` is every request; `connections` counts accepted sockets.
    """

    replies: dict[str, Reply] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    connections: int = 0
    at_once: Counter[str] = field(default_factory=Counter)
    most_at_once: Counter[str] = field(default_factory=Counter)
    port: int = 0

    def start(self) -> None:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def url(self, path: str = "/events") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def has(self, count: int) -> bool:
        return len(self.heard) >= count

    def of(self, path: str) -> list[Heard]:
        return [one for one in list(self.heard) if one.path == path]

    def _run(self, ready: threading.Event) -> None:
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=1000)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._end.wait()
        await close_server(server)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while not writer.is_closing():
                await self._request(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass  # the test or the client has ended
        finally:
            writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        path = lines[0].split(" ")[1]
        headers = dict(line.split(": ", 1) for line in lines[1:] if line)
        heard = Heard(path, headers, await reader.readexactly(int(headers["Content-Length"])))
        self.heard.append(heard)
        self.at_once[path] += 1
        self.most_at_once[path] = max(self.most_at_once[path], self.at_once[path])
        try:
            await self.replies.get(path, sends(OK, then_close=False))(heard, writer)
        finally:
            self.at_once[path] -= 1
