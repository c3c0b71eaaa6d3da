"""The WSGI environment of a request that came by ASGI."""

import io
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

Environ = dict[str, Any]

_ALWAYS: Environ = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_PLAIN_NAMES = frozenset({"CONTENT_LENGTH", "CONTENT_TYPE"})


def environ_of(scope: dict[str, Any], is_proxy: Callable[[str], bool]) -> Environ:
    """Return what an application reads; what a stranger says as if it were a proxy is not there."""
    path: bytes = scope["raw_path"]
    peer: str = scope["client"][0]
    server = scope["server"]
    environ = _ALWAYS | {
        "REQUEST_METHOD": scope["method"],
        # As latin-1, whatever it is: PEP 3333 has it so.
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REMOTE_ADDR": peer,
        "SERVER_NAME": server[0],
        "SERVER_PORT": server[1],
        "SERVER_PROTOCOL": "HTTP/1.1" if scope["http_version"] == "1.1" else "HTTP/1.0",
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
    }
    if b"%" in path:
        # As it was sent, which is what a signature is made over.
        environ["RAW_PATH"] = path.decode("latin-1")
    for header, value in scope["headers"]:
        name = _name_of(header)
        if name in environ:
            separator = "; " if name == "HTTP_COOKIE" else ","
            environ[name] += separator + value.decode("latin-1")
        elif name:
            environ[name] = value.decode("latin-1")
    if "HTTP_X_FORWARDED_FOR" in environ or "HTTP_X_FORWARDED_PROTO" in environ:
        _believe_proxies_alone(environ, peer, is_proxy)
    return environ


@lru_cache(maxsize=512)
def _name_of(header: bytes) -> str:
    """Return the name of a header in the environment; nothing for one that is dropped.

    `X_Forwarded_For` and `X-Forwarded-For` would become one name, so only dashes are taken.
    """
    if b"_" in header:
        return ""
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in _PLAIN_NAMES else f"HTTP_{name}"


def _believe_proxies_alone(environ: Environ, peer: str, is_proxy: Callable[[str], bool]) -> None:
    if not is_proxy(peer):
        environ.pop("HTTP_X_FORWARDED_FOR", None)
        environ.pop("HTTP_X_FORWARDED_PROTO", None)
