"""A request takes a thread when it has arrived whole; one that does not is cut, in words."""

import json
import time

import pytest
from django.conf import settings

from tests.server.wire import Heard, head, heard, opened, said
from tests.services import Services

pytestmark = pytest.mark.services

CONSOLE, API = "/sign-in/", "/sandbox/v1/me"
CLOSE = "Connection: close"
CHUNKED = "Transfer-Encoding: chunked"


def assert_refused(heard: Heard, path: str, status: int, code: str, words: str) -> None:
    """The API's readers get a problem document, everybody else a page; both may be shown."""
    assert heard.status == status, heard.data[:300]
    assert heard.closed_after is not None
    assert heard.headers["x-content-type-options"] == "nosniff"
    assert heard.headers["cache-control"] == "no-store"
    assert heard.headers["x-request-id"].startswith("req_")
    assert int(heard.headers["content-length"]) == len(heard.body)
    if path == API:
        assert heard.headers["content-type"] == "application/problem+json"
        problem = json.loads(heard.body)
        assert (problem["status"], problem["errors"][0]["code"]) == (status, code)
        assert problem["request_id"] == heard.headers["x-request-id"]
    else:
        assert heard.headers["content-type"] == "text/html; charset=utf-8"
        assert "style-src 'self'" in heard.headers["content-security-policy"]
        assert words in heard.body.decode()


def test_who_falls_silent_is_cut_after_ten_seconds(web: Services) -> None:
    half = {
        path: opened(web.port, head("POST", path, "Content-Length: 100") + b"abcdef")
        for path in (CONSOLE, API)
    }
    chunk = opened(web.port, head("POST", CONSOLE, CHUNKED) + b"5\r\nab")
    headers = opened(web.port, b"GET / HTTP/1.1\r\nHost: local")
    nothing = opened(web.port, b"")
    idle = opened(web.port, head("GET", "/healthz"))
    began = time.monotonic()
    for path, sock in half.items():
        assert_refused(heard(sock), path, 408, "too_slow", "That took too long")
    assert heard(chunk).status == 408
    assert heard(headers).closed_after is not None
    assert heard(nothing).closed_after is not None
    assert heard(idle).closed_after is not None
    assert time.monotonic() - began > 9


@pytest.mark.parametrize("path", [CONSOLE, API])
def test_what_is_too_large_is_refused_at_once(web: Services, path: str) -> None:
    announced = said(web.port, head("POST", path, "Content-Length: 400000000"))
    assert_refused(announced, path, 413, "too_large", "That is too large")


def test_blanks_after_a_value_change_nothing(web: Services) -> None:
    blanks = "Host: localhost \t", "Content-Length: 2 \t", "Content-Type: application/json \t"
    lines = [b"POST /exposed-keys/ HTTP/1.1", *map(str.encode, (*blanks, CLOSE)), b"", b"{}"]
    assert said(web.port, b"\r\n".join(lines)).status == 202


def test_no_page_but_that_of_files_takes_more_than_a_form(web: Services) -> None:
    more = f"Content-Length: {settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1}"
    for path in (CONSOLE, "/nothing/here/", "/verify"):
        # Nothing of it is sent: whoever waited for it would say that it came too slowly.
        announced = said(web.port, head("POST", path, more))
        assert_refused(announced, path, 413, "too_large", "That is too large")
    waits = opened(web.port, head("POST", "/verify/", more, "Expect: 100-continue"))
    assert waits.recv(99) == b"HTTP/1.1 100 Continue\r\n\r\n"
    waits.close()


@pytest.mark.parametrize("path", [CONSOLE, API])
def test_what_grows_too_large_is_cut_while_it_arrives(web: Services, path: str) -> None:
    sock = opened(web.port, head("POST", path, CHUNKED))
    chunk = b"%x\r\n%b\r\n" % (1 << 20, bytes(1 << 20))
    sent = 0
    try:
        while sent < 300:
            sock.sendall(chunk)
            sent += 1
    except OSError:
        pass
    assert sent < 300
    sock.close()


def test_an_answer_to_what_is_too_large_reaches_who_is_still_sending(web: Services) -> None:
    sock = opened(web.port, head("POST", API, "Content-Length: 20000000"))
    sock.sendall(bytes(20_000_000))
    assert_refused(heard(sock), API, 413, "too_large", "")


@pytest.mark.parametrize("path", [CONSOLE, API])
def test_what_is_no_body_is_told_so(web: Services, path: str) -> None:
    broken = said(web.port, head("POST", path, CHUNKED) + b"nonsense\r\n")
    assert_refused(broken, path, 400, "cut_short", "We could not read that request")


def test_a_body_in_chunks_is_read(web: Services) -> None:
    chunks = b"3\r\na=1\r\n4\r\n&b=2\r\n0\r\n\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded"
    found = said(web.port, head("POST", CONSOLE, CHUNKED, CLOSE, kind) + chunks)
    assert found.status == 403  # it has no token


def test_expect_is_answered_and_no_further_than_needed(web: Services) -> None:
    waits = opened(web.port, head("POST", API, "Content-Length: 2", "Expect: 100-continue", CLOSE))
    assert waits.recv(99) == b"HTTP/1.1 100 Continue\r\n\r\n"
    waits.sendall(b"{}")
    assert heard(waits).status == 405
    large = head("POST", API, "Content-Length: 20000000", "Expect: 100-continue")
    assert said(web.port, large).status == 413


def test_a_connection_serves_one_request_after_the_other(web: Services) -> None:
    both = head("GET", "/healthz") + head("GET", API, CLOSE)
    data = said(web.port, both).data
    first, second = data.find(b"HTTP/1.1 200"), data.find(b"HTTP/1.1 401")
    assert 0 == first < second
    assert data.count(b"HTTP/1.1 ") == 2


@pytest.mark.parametrize("path", ["/healthz", "/", "/verify/", API])
def test_head_has_the_headers_of_get_and_no_body(web: Services, path: str) -> None:
    get, only = (said(web.port, head(method, path, CLOSE)) for method in ("GET", "HEAD"))
    assert only.body == b""
    assert only.status == (405 if path == API else get.status)
    if path != API:
        assert only.headers["content-type"] == get.headers["content-type"]
