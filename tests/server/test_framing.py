"""One answer for each request, in order, and no request where there is none (RFC 9112)."""

import asyncio
import re
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from console.server import environ as environs
from tests.server.test_mounts import Application, Client, running

GET, LATE = b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /late HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST /a/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LARGE = b"POST /a/ HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"


async def sent(client: Client, data: bytes, *, pieces: int = 0) -> list[tuple[int, bytes]]:
    """Send bytes, and return every answer until the connection is closed."""
    async with client.connected() as (reader, writer):
        size = pieces or len(data)
        for at in range(0, len(data), size):
            writer.write(data[at : at + size])
            await writer.drain()
        writer.write_eof()
        return answers(await asyncio.wait_for(reader.read(), 30))


def answers(data: bytes) -> list[tuple[int, bytes]]:
    """Take apart what came back; nothing may stand between two answers."""
    found = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        status = int(head[9:12])
        length = re.search(rb"content-length: (\d+)", head)
        size = int(length[1]) if length else 0
        found.append((status, rest[:size]))
        data = rest[size:]
    return found


def statuses(data: bytes, *, pieces: int = 0, application: Application | None = None) -> list[int]:
    """Return the statuses of what is answered to some bytes."""
    said: list[int] = []

    async def test(client: Client) -> None:
        said.extend(status for status, _ in await sent(client, data, pieces=pieces))

    running(test, application or Application(), waiting=200)
    return said


def posted(body: bytes) -> bytes:
    return b"POST /a/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("pieces", [0, 1, 7])
def test_requests_are_answered_once_and_in_their_order(pieces):
    asked = [posted(b"%d" % number) for number in range(5)] + [GET % b"get"]

    async def test(client: Client) -> None:
        found = await sent(client, b"".join(asked), pieces=pieces)
        assert [body for _, body in found] == [b"whole: %d" % n for n in range(5)] + [b"whole: "]

    running(test, Application())


def test_a_refused_request_is_the_last_one():
    """What is behind it is not answered: its answer would be taken for that of the refused one."""
    application = Application()
    assert statuses(GET % b"a" + LARGE + b"x" * 300_000 + LATE, application=application) == [200]
    whole = CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (200_001, b"x" * 200_001)
    assert statuses(whole + LATE, application=application) == [413]
    assert statuses(GET % b"a" + b"nonsense\r\n\r\n" + LATE, application=application) == [200]
    assert statuses(b"nonsense\r\n\r\n" + LATE, application=application) == [400]
    assert "/late" not in {environ["PATH_INFO"] for environ in application.seen}


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 2\r\nTransfer-Encoding: chunked",
        b"Content-Length: 2\r\nContent-Length: 3",
        b"Content-Length: +2",
        b"Content-Length: 2, 2",
        b"Content-Length: 18446744073709551616",
        b"Transfer-Encoding: identity, chunked, identity",
        b"Transfer-Encoding: xchunked",
        b"X-Folded: a\r\n b",
        b"X-Space : a",
        b"X-Null: \0",
        b"Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2",
    ],
    ids=str,
)
def test_a_head_that_can_be_read_in_two_ways_is_refused(head):
    application = Application()
    data = b"POST /a/ HTTP/1.1\r\nHost: x\r\n%b\r\n\r\n{}" % head
    assert statuses(data + LATE, application=application) == [400]
    assert application.seen == []


def test_a_length_with_many_zeros_is_a_length():
    zeros = b"0" * 5000
    data = b"POST /a/ HTTP/1.1\r\nHost: x\r\nContent-Length: %b2\r\n\r\n{}" % zeros
    assert statuses(data) in ([200], [400])


def test_a_request_names_one_host_and_a_version_that_we_speak():
    assert statuses(b"GET /a HTTP/1.1\r\n\r\n") == [400]
    assert statuses(b"GET /a HTTP/1.0\r\n\r\n") == [200]
    assert statuses(b"GET /a HTTP/2.0\r\nHost: x\r\n\r\n") == [400]


def test_a_head_has_an_end():
    assert statuses(GET[:-2] % b"a" + b"X-A: b\r\n" * 150_000, pieces=9999) == [431]
    assert statuses(GET[:-2] % b"a" + b"X-A: " + b"b" * 1_000_000, pieces=9999) == [431]


def test_a_head_that_came_in_one_piece_has_an_end():
    for size in (66_000, 130_000, 320_000):
        assert statuses(GET[:-2] % b"a" + b"X-A: " + b"b" * size + b"\r\n\r\n") == [431]
    assert statuses(GET[:-2] % b"a" + b"X-A: " + b"b" * 65_000 + b"\r\n\r\n") == [200]
    assert statuses(GET % (b"a?" + b"b" * 66_000)) == [431]


def test_of_many_headers_few_are_read(monkeypatch):
    read = []
    add = environs.add_header

    def counted(environ: environs.Environ, name: bytes, value: bytes) -> None:
        read.append(name)
        add(environ, name, value)

    monkeypatch.setattr(environs, "add_header", counted)
    assert statuses(GET[:-2] % b"a" + b"a:\r\n" * 65_530 + b"\r\n") == [431]
    assert len(read) <= 101
    assert statuses(GET[:-2] % b"a" + b"a:\r\n" * 99 + b"\r\n") == [200]
    assert statuses(GET[:-2] % b"a" + b"a:\r\n" * 100 + b"\r\n") == [431]


def test_a_head_is_measured_without_the_body_before_it():
    """Both came in one piece, as a client sends them that waits for nothing."""
    large = posted(b"x" * 150_000)
    assert statuses(large + GET % b"a" + large) == [200, 200, 200]


def test_little_of_a_body_may_be_around_it():
    each = b"".join(b"1;%b\r\nx\r\n" % (b"e" * 400) for _ in range(400))
    assert statuses(CHUNKED + each, pieces=4096) == [400]
    whole = b"".join(b"1\r\nx\r\n" for _ in range(30_000))
    assert statuses(CHUNKED + whole + b"0\r\n\r\n", pieces=4096) == [200]


def test_whoever_sends_many_ahead_is_answered_a_hundred():
    assert statuses(GET % b"a" * 1000) == [200] * 100


def test_a_header_that_would_become_two_is_no_answer():
    assert statuses(GET % b"split/") == [500]


def test_who_waits_to_send_a_body_is_told_when_all_before_is_answered():
    waits = b"POST /a/ HTTP/1.%d\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"

    async def test(client: Client) -> None:
        async with client.connected() as (reader, writer):
            writer.write(GET % b"a" + waits % 1)
            assert await client.read(reader) == (200, b"whole: ")
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"{}")
            assert await client.read(reader) == (200, b"whole: {}")
        # Whoever speaks HTTP/1.0 does not know that line.
        async with client.connected() as (reader, writer):
            writer.write(waits % 0 + b"{}")
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")

    running(test, Application())


def let_go(hold: Callable[[Client], Coroutine[Any, Any, None]], *, silence: float = 10.0) -> None:
    """See that nobody is held who has gone or is silent, whatever they left half done."""

    async def test(client: Client) -> None:
        await hold(client)
        async with asyncio.timeout(30):
            while client.state.connections or len(client.served.clock):
                await asyncio.sleep(0.05)

    running(test, Application(), silence=silence)


def test_nothing_is_kept_of_who_has_gone():
    def gone(port: int, data: bytes) -> None:
        with socket.create_connection(("127.0.0.1", port)) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            sock.sendall(data)

    async def hold(client: Client) -> None:
        for data in (b"", b"GET", CHUNKED, LARGE + b"x", GET % b"a" * 50, GET % b"a" + LARGE):
            for _ in range(20):
                await asyncio.to_thread(gone, client.port, data)

    let_go(hold)


def test_the_clock_goes_on_whatever_comes_after_a_refusal():
    """A body that is refused, with another half-sent behind it in one piece."""

    async def hold(client: Client) -> None:
        large = CHUNKED + b"%x\r\n%b\r\n" % (199_999, b"x" * 199_999)
        async with client.connected() as (reader, writer), client.connected() as (idle, _):
            writer.write(large)
            await writer.drain()
            await asyncio.sleep(0.2)
            writer.write(b"2\r\nxx\r\n0\r\n\r\n" + LARGE.replace(b"300000", b"9") + b"x")
            assert [status for status, _ in answers(await reader.read())] == [413]
            half, writing = await asyncio.open_connection("127.0.0.1", client.port)
            writing.write(CHUNKED + b"5\r\nx")
            assert (await client.read(half))[0] == 408
            assert await idle.read() == b""
            writing.close()

    let_go(hold, silence=1)
