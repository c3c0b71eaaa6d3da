"""Outbound requests: public addresses only, bounded time, no redirects."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from console.core import outbound
from console.core.outbound import MOST_BYTES, NOT_ALLOWED, OutboundAnswer, Patience
from tests.core import receiving
from tests.core.hostile_addresses import ANSWERS, SPELLED
from tests.waiting import eventually

# Longer than any machine needs, except in tests of the limit itself.
PATIENT = Patience(lookup=60.0, connect=60.0, total=60.0, refused=0.0)
IMPATIENT = Patience(lookup=0.05)
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record every address that a socket was asked to connect to."""
    tried: list[object] = []
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        tried.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    return tried


@pytest.fixture
def loopback(settings) -> None:
    """Allow the client to reach this machine, as in a demonstration."""
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]


def scripted(monkeypatch: pytest.MonkeyPatch, *rounds: list[str]) -> list[str]:
    """Answer each lookup with the next of these, and return the names looked up."""
    asked, left = [], list(rounds)

    def answer(host: str, *_: object, **__: object) -> list[object]:
        asked.append(host)
        given = left.pop(0) if len(left) > 1 else left[0]
        return [(None, None, None, "", (one, 0)) for one in given]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return asked


def post(server: receiving.Listening, patience: Patience = PATIENT) -> OutboundAnswer:
    return outbound.post(f"http://127.0.0.1:{server.port}/", b"{}", {}, patience=patience)


# Forbidden addresses -----------------------------------------------------------------------------


def test_no_spelling_of_a_forbidden_address_is_connected_to(connected):
    with receiving.listening(receiving.answering(OK)) as server:
        for spelling in SPELLED:
            url = spelling.replace("PORT", str(server.port))
            answer = outbound.post(url, b"{}", {}, patience=PATIENT)
            assert answer.status is None, url
            assert answer.error in {NOT_ALLOWED, outbound.NOT_FOUND}, url
        assert server.accepted == 0
    assert connected == []
    assert len(SPELLED) > 60


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_a_name_of_which_one_address_is_forbidden_is_refused_whole(monkeypatch, connected, answers):
    scripted(monkeypatch, answers)

    answer = outbound.post("https://hooks.example.com/", b"{}", {}, patience=PATIENT)

    assert answer == OutboundAnswer(error=NOT_ALLOWED)
    assert connected == []


def test_the_name_is_looked_up_once_and_the_checked_address_is_connected_to(monkeypatch, connected):
    asked = scripted(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])

    outbound.post("https://hooks.example.com/", b"{}", {}, patience=PATIENT)

    assert asked == ["hooks.example.com"]
    assert connected == [("8.8.8.8", 443)]


def test_a_forbidden_address_takes_its_time_and_says_nothing(connected):
    began = time.monotonic()

    answers = {
        outbound.post(f"https://{host}/", b"{}", {}, patience=Patience(lookup=60.0, refused=0.2))
        for host in ("127.0.0.1", "10.0.0.1")
    }

    assert answers == {OutboundAnswer(error=NOT_ALLOWED)}
    assert time.monotonic() - began >= 0.4
    assert Patience().refused >= 1


# Responses ---------------------------------------------------------------------------------------


def test_what_was_asked_arrives_with_no_more_than_was_given(loopback):
    arrived = []

    def behave(one: socket.socket) -> None:
        arrived.append(receiving.request_of(one))
        one.sendall(OK)

    with receiving.listening(behave) as server:
        url = f"http://127.0.0.1:{server.port}/a%20b/é?q=[1]"
        answer = outbound.post(url, b'{"a":1}', {"X-One": "1"}, patience=PATIENT)

    assert answer == OutboundAnswer(200, b"ok")
    head, _, body = arrived[0].partition(b"\r\n\r\n")
    assert head.split(b"\r\n") == [
        b"POST /a%20b/%C3%A9?q=[1] HTTP/1.1",
        b"Host: 127.0.0.1:%d" % server.port,
        b"Accept-Encoding: identity",
        b"Content-Length: 7",
        b"X-One: 1",
        b"Connection: close",
    ]
    assert body == b'{"a":1}'


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed(loopback, connected, status):
    with receiving.listening(receiving.answering(OK)) as other:
        to = f"HTTP/1.1 {status} Found\r\nLocation: http://127.0.0.1:{other.port}/\r\n\r\n"
        with receiving.listening(receiving.answering(to.encode())) as server:
            assert post(server) == OutboundAnswer(status, b"", "redirect not followed")
        assert other.accepted == 0
    assert len(connected) == 1


def test_proxies_of_the_machine_are_not_asked(loopback, monkeypatch):
    with receiving.listening(receiving.answering(OK)) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        with receiving.listening(receiving.answering(OK)) as server:
            assert post(server).succeeded
        assert proxy.accepted == 0


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", "http 503"),
        (b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", "gone (410)"),
        (b"<html>\r\n", "not an answer in http"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", "not an answer in http"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n", "not an answer in http"),
        (b"", "connection closed without an answer"),
    ],
)
def test_errors_are_said_in_stable_words(loopback, raw, error):
    with receiving.listening(receiving.answering(raw)) as server:
        assert post(server).error == error


def test_a_port_where_nobody_listens_is_said_so(loopback):
    with receiving.listening(receiving.answering(OK)) as server:
        pass
    assert post(server).error == "connection refused"


@pytest.mark.parametrize("failure", [socket.gaierror(-2, "no"), UnicodeError()])
def test_a_name_that_does_not_exist_is_said_so(monkeypatch, failure):
    def refuse(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert (
        outbound.post("https://nobody.example.com/", b"", {}, patience=PATIENT).error
        == outbound.NOT_FOUND
    )


def test_a_name_is_not_waited_for_longer_than_we_said(monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(60) and [])

    answer = outbound.post("https://slow.example.com/", b"", {}, patience=Patience(lookup=0.05))

    released.set()
    assert answer.error == "dns: no answer in time"


def is_free() -> bool:
    try:
        return outbound.find("slow.example.com", 60.0) == []
    except TimeoutError:
        return False


def test_threads_of_others_do_not_count_as_lookups(monkeypatch):
    released = threading.Event()
    others = [threading.Thread(target=released.wait, daemon=True) for _ in range(70)]
    for one in others:
        one.start()
    try:
        assert outbound.find("127.0.0.1", 60.0) == ["127.0.0.1"]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(60) and [])
        said = [outbound.post("https://slow.example.com/", b"", {}, patience=IMPATIENT).error]
        for _ in range(64):
            with pytest.raises(TimeoutError):
                outbound.find("slow.example.com", 0.0)
        with pytest.raises(TimeoutError, match="Too many"):
            outbound.find("slow.example.com", 60.0)
    finally:
        released.set()
    assert said == ["dns: no answer in time"]
    eventually(is_free)


def test_no_more_is_read_than_is_kept(loopback):
    lots = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n" + b"x" * 100_000
    with receiving.listening(receiving.answering(lots)) as server:
        answer = post(server)
    assert answer.succeeded
    assert answer.body == b"x" * MOST_BYTES


def test_a_body_is_not_unpacked(loopback):
    packed = b"\x1f\x8b" + b"x" * 20
    raw = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 22\r\n\r\n" + packed
    with receiving.listening(receiving.answering(raw)) as server:
        assert post(server).body == packed


@pytest.mark.parametrize(
    ("first", "then", "status"),
    [
        (b"", b"", None),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 200),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x", 200),
    ],
    ids=["nothing", "headers for ever", "100 for ever", "a body for ever"],
)
def test_the_deadline_ends_whatever_comes_byte_by_byte(loopback, first, then, status):
    over = threading.Event()

    def behave(one: socket.socket) -> None:
        receiving.request_of(one)
        one.sendall(first)
        while not over.wait(0.05):
            one.sendall(then)

    with receiving.listening(behave) as server:
        seconds = 2.0 if status else 1.0
        answer = post(server, Patience(lookup=60.0, total=seconds))
        over.set()

    assert answer.status == status
    assert answer.error == ("" if status else "timeout after 1 s")


# TLS ---------------------------------------------------------------------------------------------


@contextmanager
def trusted(folder, monkeypatch, *, expired: bool = False) -> Iterator[receiving.Listening]:
    """Run a server at `localhost` with a certificate that the client trusts in this test."""
    file = receiving.certificate(folder, host="localhost", expired=expired)
    context = outbound._context()
    context.load_verify_locations(file)
    monkeypatch.setattr(outbound, "_context", lambda: context)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", ("127.0.0.1", 0))])
    with receiving.listening(receiving.over_tls(receiving.answering(OK), file)) as server:
        yield server


def asked(host: str, server: receiving.Listening) -> OutboundAnswer:
    return outbound.post(f"https://{host}:{server.port}/", b"", {}, patience=PATIENT)


def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(
    tmp_path, monkeypatch, loopback
):
    with trusted(tmp_path, monkeypatch) as server:
        assert asked("localhost", server) == OutboundAnswer(200, b"ok")
        other = asked("other.example.com", server)
    assert other.error == "tls: certificate is for another host"


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path, loopback):
    file = receiving.certificate(tmp_path, host="localhost")
    with receiving.listening(receiving.over_tls(receiving.answering(OK), file)) as server:
        answer = asked("127.0.0.1", server)
    assert answer.error == "tls: certificate is self-signed"


def test_a_certificate_that_expired_is_refused(tmp_path, monkeypatch, loopback):
    with trusted(tmp_path, monkeypatch, expired=True) as server:
        answer = asked("localhost", server)
    assert answer.error == "tls: certificate has expired"


def test_nothing_older_than_tls_1_2_is_spoken():
    context = outbound._context()
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname


def test_a_handshake_that_never_ends_is_ended(loopback):
    over = threading.Event()

    def behave(one: socket.socket) -> None:
        over.wait(60)

    with receiving.listening(behave) as server:
        url = f"https://127.0.0.1:{server.port}/"
        answer = outbound.post(url, b"", {}, patience=Patience(total=0.5))
        over.set()
    assert answer.error == "timeout after 0.5 s"


def test_what_is_no_tls_is_said_so(loopback):
    with receiving.listening(lambda one: one.sendall(b"HTTP/1.1 400 No\r\n\r\n" * 9)) as server:
        answer = outbound.post(f"https://127.0.0.1:{server.port}/", b"", {}, patience=PATIENT)
    assert answer.error in {"tls: no agreement", "connection closed without an answer"}
