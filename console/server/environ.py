"""The WSGI environment of a request, put together while it arrives."""

import io
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

Environ = dict[str, Any]

_AUTHORITY = re.compile(rb"([^/?#]*)(.*)", re.DOTALL)


class _NoBody(io.BytesIO):
    """The body of every request that has none: there is one, and nobody closes it."""

    def close(self) -> None:
        """Stay open for the others."""


_ALWAYS: Environ = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.input": _NoBody(),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_PLAIN_NAMES = frozenset({"CONTENT_LENGTH", "CONTENT_TYPE"})


def of_connection(peer: str, server: tuple[str, int]) -> Environ:
    """Return what is the same for all requests of a connection."""
    name, port = server
    return _ALWAYS | {"REMOTE_ADDR": peer, "SERVER_NAME": name, "SERVER_PORT": str(port)}


def add_header(environ: Environ, header: bytes, value: bytes) -> None:
    """Add a header; one that is said again is joined to what was said before.

    Blanks around a value do not belong to it (RFC 9110, 5.5), and the parser leaves those behind.
    """
    name, text = _name_of(header), value.strip(b" \t").decode("latin-1")
    if name in environ:
        separator = "; " if name == "HTTP_COOKIE" else ","
        environ[name] += separator + text
    elif name:
        environ[name] = text


def complete(
    environ: Environ, method: str, target: bytes, version: str, is_proxy: Callable[[str], bool]
) -> None:
    """Add what the first line says, when all headers are there.

    What a stranger says as if it were a proxy is taken away.
    """
    if target[:1] != b"/":
        target = _origin_form(environ, target)
    path, _, query = target.partition(b"?")
    if b"%" in path:
        # As it was sent, which is what a signature is made over.
        environ["RAW_PATH"] = path.decode("latin-1")
        path = unquote_to_bytes(path)
    environ["REQUEST_METHOD"] = method
    # As latin-1, whatever it is: PEP 3333 has it so.
    environ["PATH_INFO"] = path.decode("latin-1")
    environ["QUERY_STRING"] = query.decode("latin-1")
    environ["SERVER_PROTOCOL"] = "HTTP/1.1" if version == "1.1" else "HTTP/1.0"
    if "HTTP_X_FORWARDED_FOR" in environ or "HTTP_X_FORWARDED_PROTO" in environ:
        _believe_proxies_alone(environ, is_proxy)


def _origin_form(environ: Environ, target: bytes) -> bytes:
    """Return path and query of a whole address, whose host is then the one that is asked.

    What is no address (`*`, or the host and port of CONNECT) stays what it is: nothing is there.
    """
    scheme, separator, rest = target.partition(b"://")
    if not separator or scheme.lower() not in (b"http", b"https"):
        return target
    host, path = _AUTHORITY.fullmatch(rest).groups()  # type: ignore[union-attr]  # fits anything
    environ["HTTP_HOST"] = host.decode("latin-1")
    return path if path[:1] == b"/" else b"/" + path


@lru_cache(maxsize=512)
def _name_of(header: bytes) -> str:
    """Return the name of a header in the environment; nothing for one that is dropped.

    `X_Forwarded_For` and `X-Forwarded-For` would become one name, so only dashes are taken.
    """
    if b"_" in header:
        return ""
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in _PLAIN_NAMES else f"HTTP_{name}"


def _believe_proxies_alone(environ: Environ, is_proxy: Callable[[str], bool]) -> None:
    if not is_proxy(environ["REMOTE_ADDR"]):
        environ.pop("HTTP_X_FORWARDED_FOR", None)
        environ.pop("HTTP_X_FORWARDED_PROTO", None)
