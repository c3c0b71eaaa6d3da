"""When there are as many connections as there may be, who asks for nothing makes room."""

import asyncio

import pytest

from console.server import clock
from tests.server.test_mounts import Application, Client, running

GET, HALF = b"GET /a/ HTTP/1.1\r\nhost: x\r\n\r\n", b"GET /a/ HTTP/1.1\r\nhost:"
BODY = b"POST /a/ HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nx"
SLOW = GET.replace(b"/a/", b"/slow/")


def test_the_idle_and_then_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MOST_CONNECTIONS", 5)
    monkeypatch.setattr(clock, "_EVERY_SECONDS", 0.01)
    application = Application()

    async def test(client: Client) -> None:
        held = []
        for said in (SLOW, b"", HALF, BODY, GET):
            held.append(await asyncio.open_connection("127.0.0.1", client.port))
            held[-1][1].write(said)
            await asyncio.sleep(0.05)
        slow, silent, half, body, idle = [reader for reader, _ in held]
        for first in (silent, half, body):
            reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
            held.append((reader, writer))
            await asyncio.sleep(0.05)
            assert await ended(first)
        application.may_go_on.set()
        assert (await client.read(slow))[0] == 200
        assert (await client.read(idle))[0] == 200
        await asyncio.sleep(0.1)
        held.append(await asyncio.open_connection("127.0.0.1", client.port))
        assert await ended(slow)
        assert await client.ask("/a/") == (200, b"whole: ")
        for _, writer in held:
            writer.close()

    running(test, application)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Tell whether the other side goes."""
    try:
        async with asyncio.timeout(5):
            return await reader.read(1) == b""
    except ConnectionError:
        return True
