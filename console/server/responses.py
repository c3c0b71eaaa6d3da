"""Answers as they go out."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

from console.server.environ import Environ

WSGIApplication = Callable[..., Iterable[bytes]]
_Headers = Iterable[tuple[str, str]]


class RawResponse(NamedTuple):
    """A whole answer.

    `fields` are its header lines, each with its end; the connection adds those that are its own.
    `length` is that of the body of GET where this answers HEAD. One that `is_own` is the server's,
    which knows no header that every answer carries: they are added when it is written.
    """

    status: int
    fields: bytes
    body: bytes
    length: int | None = None
    closes: bool = False
    is_own: bool = False

    def headers(self) -> list[tuple[str, str]]:
        """Return the fields as WSGI has them, with the length of the body."""
        lines = self.fields.decode("latin-1").split("\r\n")[:-1]
        named = [line.partition(": ") for line in lines]
        length = len(self.body) if self.length is None else self.length
        fields = [(name, value) for name, _, value in named]
        return [*fields, ("Content-Length", str(length))]


def _plain(status: HTTPStatus, words: str) -> RawResponse:
    kind = b"content-type: text/plain\r\n"
    return RawResponse(status.value, kind, words.encode(), closes=True, is_own=True)


# What is said when no application can say anything.
FAILED = _plain(HTTPStatus.INTERNAL_SERVER_ERROR, "Something failed on our side. Try again.")
UNREADABLE = _plain(HTTPStatus.BAD_REQUEST, "This is not HTTP/1.1 as we read it.")
LARGE_HEAD = _plain(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.")

_STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
_BODYLESS = frozenset({HTTPStatus.NO_CONTENT.value, HTTPStatus.NOT_MODIFIED.value})
# What the connection says itself, of this hop alone.
_OF_THE_CONNECTION = frozenset({"content-length", "connection", "date", "transfer-encoding"})


def respond(application: WSGIApplication, environ: Environ) -> RawResponse:
    """Return what an application answers, all of it."""
    said: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
        said[:] = status, headers

    parts = application(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        # Django ends a request here: in this thread, whose database connection it gives back.
        if close := getattr(parts, "close", None):
            close()
    status, headers = said
    return raw_response(int(status[:3]), headers, body)


def raw_response(status: int, headers: _Headers, body: bytes) -> RawResponse:
    """Write out the headers of an answer. Raises ValueError for one that would become two."""
    own, fields = {}, []
    for name, value in headers:
        if name.lower() in _OF_THE_CONNECTION:
            own[name.lower()] = value
        else:
            fields.append((name, value))
    length = int(own["content-length"]) if "content-length" in own else None
    return RawResponse(status, header_lines(fields), body, length)


def header_lines(headers: _Headers) -> bytes:
    """Write out headers. Raises ValueError for one that would become two."""
    lines = [f"{name}: {value}\r\n" for name, value in headers]
    written = "".join(lines).encode("latin-1")
    if written.count(b"\n") != len(lines) or written.count(b"\r") != len(lines):
        raise ValueError("A header holds the end of a line.")
    return written


def written(
    response: RawResponse, *, always: bytes, date: bytes, closes: bool, is_head: bool
) -> bytes:
    """Return the bytes of an answer (RFC 9112); `always` is what every answer carries."""
    status, fields, body, length, _, is_own = response
    if is_own:
        fields += always
    if date:
        fields += b"date: %b\r\n" % date
    if closes:
        fields += b"connection: close\r\n"
    line = _STATUS_LINES.get(status) or f"HTTP/1.1 {status} \r\n".encode()
    if status in _BODYLESS:
        return b"%b%b\r\n" % (line, fields)
    if is_head:
        length = len(body) if length is None else length
        return b"%b%bcontent-length: %d\r\n\r\n" % (line, fields, length)
    return b"%b%bcontent-length: %d\r\n\r\n%b" % (line, fields, len(body), body)
