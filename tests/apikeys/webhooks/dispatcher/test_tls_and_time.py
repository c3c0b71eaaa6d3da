"""Errors about a receiver's certificate, and the clock used for signatures."""

import asyncio
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apikeys.webhooks.dispatcher import connections
from apikeys.webhooks.dispatcher.records import ReceiverAnswer
from apikeys.webhooks.dispatcher.sender import Clock
from tests.apikeys.webhooks import world
from tests.core import receiving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HOUR = 3600


def sent(url: str, at: Clock | None = None) -> ReceiverAnswer:
    """Send one delivery there."""
    return asyncio.run(world.sent(world.claimed(url), at))


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Trust the issuer of that certificate, and resolve every name to this machine."""
    make = connections._modern_tls
    context = make()
    monkeypatch.setattr(connections, "_modern_tls", lambda: context)
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, 1, 6, "", ("127.0.0.1", 0))]
    )
    return context.load_verify_locations


@pytest.mark.parametrize(
    ("host", "expired", "trusted", "error"),
    [
        ("localhost", False, True, ""),
        ("localhost", False, False, "tls: certificate is self-signed"),
        ("localhost", True, True, "tls: certificate has expired"),
        ("other.example.com", False, True, "tls: certificate is for another host"),
    ],
)
def test_a_bad_certificate_is_a_failure_with_its_name(
    tmp_path: Path, trusting: Any, monkeypatch, host, expired, trusted, error
):
    file = receiving.certificate(tmp_path, host="localhost", expired=expired)
    if trusted:
        trusting(file)
    with receiving.listening(receiving.over_tls(receiving.answering(OK), file)) as server:
        there = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", server.port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: there)
        answer = sent(f"https://{host}:{server.port}/")

    assert (answer.error, answer.accepted) == (error, not error)


@pytest.fixture
def silent() -> Iterator[receiving.Listening]:
    """A server that accepts connections and sends nothing until the test ends."""
    over = threading.Event()

    def behave(_: socket.socket) -> None:
        over.wait(60)

    with receiving.listening(behave) as server:
        yield server
        over.set()


def test_a_handshake_that_never_ends_holds_its_place_for_a_bounded_time(
    silent: receiving.Listening, settings: Any
):
    settings.WEBHOOK_TIMEOUT_SECONDS = 0.5
    begun = time.monotonic()

    answer = sent(f"https://127.0.0.1:{silent.port}/")

    assert answer.error == "timeout after 0.5 s"
    assert time.monotonic() - begun < 30  # without a limit, the receiver's 60


def test_nothing_older_than_tls_1_2_is_spoken():
    context = connections._modern_tls()
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_jump_of_the_hosts_clock_changes_no_signature(jump: int, monkeypatch):
    heard: list[bytes] = []

    def behave(one: socket.socket) -> None:
        heard.append(one.recv(65536))
        one.sendall(OK)

    by_database = Clock()
    by_database.set(1_800_000_000.0)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    with receiving.listening(behave) as server:
        answer = sent(f"http://127.0.0.1:{server.port}/", by_database)

    (signed,) = re.findall(rb"Service-Signature: t=(\d+),", heard[0])
    assert 0 <= int(signed) - 1_800_000_000 < 60
    assert 0 <= answer.at - 1_800_000_000 < 60
