"""Each application has threads of its own, a whole request takes one, and a queue has an end."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from console.server.bodies import ReceivedBodies
from console.server.connection import HttpConnection
from console.server.environ import Environ
from console.server.mounts import Mount, MountedApplications, in_thread
from console.server.pools import ThreadPool
from console.server.responses import RawResponse, raw_response
from console.server.shared_queue import SharedQueue
from console.server.unserved import Unserved
from tests.waiting import PATIENCE, close_server

Part = bytes | float | None


def refuse(environ: Environ, unserved: Unserved) -> RawResponse:
    return raw_response(unserved.status, [], unserved.code.encode())


class Application:
    """Answers with what it was sent; a request for /slow/ waits until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.seen: list[Environ] = []

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.seen.append(environ)
        if environ["PATH_INFO"] == "/slow/":
            assert self.may_go_on.wait(PATIENCE)
        if environ["PATH_INFO"] == "/broken/":
            raise RuntimeError("broken")
        thread = threading.current_thread().name
        value = "two\r\nlines" if environ["PATH_INFO"] == "/split/" else thread
        start_response("200 OK", [("X-Thread", value), ("Connection", "upgrade")])
        return iter([b"whole: ", environ["wsgi.input"].read()])


class Client:
    """Speaks HTTP with the application, over connections of loopback."""

    def __init__(self, served: MountedApplications, state: Any, port: int) -> None:
        self.served = served
        self.state = state
        self.port = port

    async def ask(
        self, path: str, *parts: Part, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Send parts of a body; a number waits for so many seconds, None goes away."""
        said = {"transfer-encoding": "chunked"} if parts and headers is None else headers or {}
        in_chunks = "transfer-encoding" in said
        head = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        method = "POST" if parts else "GET"
        async with self.connected() as (reader, writer):
            writer.write(f"{method} {path} HTTP/1.1\r\nhost: x\r\n{head}\r\n".encode())
            for part in parts:
                if part is None:
                    writer.write_eof()
                elif isinstance(part, bytes):
                    # The head of a chunk and its end are sent with it.
                    chunk = b"%x\r\n%b\r\n" % (len(part), part)
                    writer.write(chunk if in_chunks and part else part)
                else:
                    await asyncio.sleep(part)
            if in_chunks and None not in parts:
                writer.write(b"0\r\n\r\n")
            return await self.read(reader)

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def read(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        """Read one answer."""
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
            return int(head[9:12]), await reader.readexactly(length)


def running(
    test: Callable[[Client], Coroutine[Any, Any, None]],
    application: Application,
    *,
    waiting: int = 1,
    most: int = 10**9,
    queue: SharedQueue | None = None,
    always: bytes = b"",
    **limits: float,
) -> None:
    """Run a coroutine beside an application of two mounts: /other/ has a thread of its own.

    With a queue, the other one has two threads: one for each of two places.
    """
    closed: list[int] = []
    mounts = []
    for takes, its_queue in (("/other/", None), ("/", queue)):
        pool = ThreadPool(takes, threads=2 if its_queue else 1, waiting=waiting)

        def its(_: str, path: str, takes: str = takes) -> bool:
            return path.startswith(takes)

        bodies = ReceivedBodies(most=most, **limits)
        begin = in_thread(application)
        mounts.append(Mount(its, begin, pool, 200_000, refuse, bodies, its_queue))

    async def live() -> None:
        served = MountedApplications(
            mounts, is_proxy=lambda _: False, close=lambda: closed.append(1), always=always
        )
        said: asyncio.Queue[str] = asyncio.Queue()
        events: asyncio.Queue[str] = asyncio.Queue()

        async def receive() -> dict[str, Any]:
            return {"type": await events.get()}

        async def send(message: dict[str, Any]) -> None:
            await said.put(message["type"])

        lifespan = asyncio.create_task(served({"type": "lifespan"}, receive, send))
        await events.put("lifespan.startup")
        assert await said.get() == "lifespan.startup.complete"
        config = SimpleNamespace(loaded_app=served)
        state = SimpleNamespace(connections=set(), default_headers=[(b"date", b"today")])
        server = await asyncio.get_running_loop().create_server(
            lambda: HttpConnection(config, state, {}), "127.0.0.1", 0
        )
        try:
            await test(Client(served, state, server.sockets[0].getsockname()[1]))
        finally:
            await close_server(server)
            await server.wait_closed()
            for connection in list(state.connections):
                connection.shutdown()
            async with asyncio.timeout(PATIENCE):
                while state.connections:
                    await asyncio.sleep(0.01)
            await events.put("lifespan.shutdown")
            assert await said.get() == "lifespan.shutdown.complete"
            await lifespan
        assert [mount.bodies.kept for mount in mounts] == [0, 0]

    asyncio.run(live())
    assert closed == [1]
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"/-0", "/other/-0"}


def test_a_body_is_whole_before_a_thread_sees_it():
    application = Application()

    async def test(client: Client) -> None:
        slow = asyncio.create_task(client.ask("/a/", b"one ", 0.3, b"two"))
        await asyncio.sleep(0.1)
        assert application.seen == []
        assert await slow == (200, b"whole: one two")

    running(test, application)
    environ = application.seen[0]
    assert environ["CONTENT_LENGTH"] == "7"
    assert "HTTP_TRANSFER_ENCODING" not in environ


def test_a_large_body_is_read_to_its_last_byte():
    async def test(client: Client) -> None:
        parts = [bytes([number]) * 30_000 for number in range(5)]
        assert await client.ask("/a/", *parts) == (200, b"whole: " + b"".join(parts))

    running(test, Application())


def test_too_large_announced_or_grown_is_refused():
    async def test(client: Client) -> None:
        announced = {"content-length": "200001"}
        assert await client.ask("/a/", b"", headers=announced) == (413, b"too_large")
        assert (await client.ask("/a/", b"x" * 200_000))[0] == 200
        assert await client.ask("/a/", *[b"x" * 50_000] * 5) == (413, b"too_large")
        assert await client.ask("/a/", b"x", None) == (400, b"cut_short")

    running(test, Application())


def test_a_body_that_is_never_whole_makes_room_for_others():
    """It is the oldest: neither what came after it nor another application gives way to it."""

    async def test(client: Client) -> None:
        head = b"POST /a/ HTTP/1.1\r\nhost: x\r\ncontent-length: 180001\r\n\r\n"
        mount = client.served.mount_of({"REQUEST_METHOD": "POST", "PATH_INFO": "/a/"})
        async with client.connected() as (reader, writer):
            writer.write(head + large)
            await writer.drain()
            async with asyncio.timeout(PATIENCE):
                while not mount.bodies.kept:
                    await asyncio.sleep(0.01)
            assert (await client.ask("/other/", large))[0] == 200
            assert (await client.ask("/a/", large))[0] == 200
            assert await client.read(reader) == (503, b"busy")
        assert (await client.ask("/a/", large))[0] == 200

    large = b"x" * 180_000
    running(test, Application(), most=300_000)


def test_silence_and_slowness_are_cut():
    async def test(client: Client) -> None:
        assert await client.ask("/a/", b"x", 1.5, b"y") == (408, b"too_slow")
        drip = [part for _ in range(40) for part in (b"x", 0.1)]
        began = time.monotonic()
        assert await client.ask("/a/", *drip) == (408, b"too_slow")
        assert time.monotonic() - began > 2
        assert (await client.ask("/a/", *drip[:8]))[0] == 200

    running(test, Application(), silence=1, whole=2)


def test_a_body_may_pause_ten_seconds_and_take_two_minutes():
    bodies = ReceivedBodies()
    assert (bodies.silence, bodies.whole) == (10, 120)


def test_one_application_does_not_wait_for_the_threads_of_another():
    application = Application()

    async def test(client: Client) -> None:
        slow = [asyncio.create_task(client.ask("/slow/")) for _ in range(2)]
        await asyncio.sleep(0.1)
        # One runs and one waits, so this queue is full: whoever comes is told at once.
        assert await client.ask("/a/") == (503, b"busy")
        assert await client.ask("/a/", b"x") == (503, b"busy")
        assert (await client.ask("/other/"))[0] == 200
        application.may_go_on.set()
        assert {status for status, _ in await asyncio.gather(*slow)} == {200}
        assert (await client.ask("/a/"))[0] == 200

    running(test, application)


def test_what_breaks_takes_no_thread_along():
    async def test(client: Client) -> None:
        for _ in range(3):
            assert (await client.ask("/broken/"))[0] == 500
        assert (await client.ask("/a/"))[0] == 200

    running(test, Application())


def test_whoever_has_no_turn_is_told_at_once_and_every_turn_ends(tmp_path: Path) -> None:
    application, queue = Application(), SharedQueue(tmp_path, lanes=1, waiting=1)

    async def test(client: Client) -> None:
        async with client.connected() as (_, writer):
            writer.write(b"GET /slow/ HTTP/1.1\r\nhost: x\r\n\r\n")
            await asyncio.sleep(0.1)
            waits = asyncio.create_task(client.ask("/broken/"))
            await asyncio.sleep(0.1)
            assert await client.ask("/a/") == (503, b"busy")
            assert (await client.ask("/other/"))[0] == 200
            assert not waits.done()
        # Who has gone, and whose answer breaks, let the next one in.
        application.may_go_on.set()
        assert (await waits)[0] == 500
        for _ in range(5):
            assert (await client.ask("/a/"))[0] == 200

    running(test, application, queue=queue)
    assert [one["PATH_INFO"] for one in application.seen][:3] == ["/slow/", "/other/", "/broken/"]


def test_stopping_ends_what_is_being_received_and_finishes_what_runs():
    application = Application()

    async def test(client: Client) -> None:
        slow = asyncio.create_task(client.ask("/slow/"))
        half = asyncio.create_task(client.ask("/a/", b"x", 5.0, b"y"))
        await asyncio.sleep(0.1)
        for connection in list(client.state.connections):
            connection.shutdown()
        assert await half == (503, b"stopping")
        application.may_go_on.set()
        assert (await slow)[0] == 200

    running(test, application)
