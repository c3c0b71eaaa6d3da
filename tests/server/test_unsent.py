"""Who reads slowly is waited for, within limits; who reads nothing is not."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from console.server import clock, unsent
from console.server.environ import Environ
from tests.server.test_mounts import Application, Client, running

SIZE = 6_000_000


class LargeAnswers(Application):
    """Says much to everybody."""

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [b"x" * SIZE]


@pytest.fixture(autouse=True)
def _quick_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_EVERY_SECONDS", 0.05)


@contextlib.contextmanager
def asked(client: Client) -> Iterator[socket.socket]:
    """Ask for a large answer, as somebody whose kernel takes little."""
    with contextlib.closing(socket.socket()) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        sock.connect(("127.0.0.1", client.port))
        sock.setblocking(False)
        sock.sendall(b"GET /a/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        yield sock


async def read(sock: socket.socket, *, each: int = 0, seconds: float = 60.0) -> int:
    """Read so much twenty times a second, or all that comes; return how much came."""
    got = 0
    with contextlib.suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(seconds):
            while part := await asyncio.get_running_loop().sock_recv(sock, each or SIZE):
                got += len(part)
                await asyncio.sleep(0.05 if each else 0)
    return got


def limited(client: Client, **limits: float) -> unsent.UnsentAnswers:
    answers = client.served.clock.unsent
    vars(answers).update(limits)
    return answers


def test_a_slow_reader_gets_all_of_it():
    async def test(client: Client) -> None:
        limited(client, silence=1.0)
        with asked(client) as sock:
            slowly = await read(sock, each=20_000, seconds=3)
            assert 0 < slowly < SIZE / 2
            assert slowly + await read(sock) > SIZE

    running(test, LargeAnswers())


def test_who_reads_nothing_is_let_go():
    async def test(client: Client) -> None:
        limited(client, silence=0.3)
        with asked(client):
            await gone(client)

    running(test, LargeAnswers())


def test_an_answer_is_taken_in_time_whatever_moved():
    async def test(client: Client) -> None:
        limited(client, within=0.5, rate=SIZE)
        with asked(client) as sock:
            began = time.monotonic()
            assert 0 < await read(sock, each=20_000) < SIZE
            assert time.monotonic() - began > 1.4

    running(test, LargeAnswers())


def test_all_that_is_not_taken_is_bounded():
    """Who has most to take yet is cut, and nobody else."""

    async def test(client: Client) -> None:
        limited(client, most=SIZE + 100_000)
        with asked(client) as first:
            taken = await read(first, each=200_000, seconds=0.5)
            assert 0 < taken < SIZE
            with asked(client) as second:
                assert await read(second, each=20_000) < SIZE
            assert taken + await read(first) > SIZE

    running(test, LargeAnswers())


async def gone(client: Client) -> None:
    async with asyncio.timeout(30):
        while not client.state.connections:
            await asyncio.sleep(0.01)
        while client.state.connections:
            await asyncio.sleep(0.05)
