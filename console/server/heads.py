"""The heads of requests while they arrive, within limits of size."""

from collections.abc import Callable

import httptools

from console.server import environ as environs
from console.server.environ import Environ
from console.server.responses import LARGE_HEAD, UNREADABLE, RawResponse

# What is parsed at once: a head is measured, and refused, by the piece.
PIECE = 16 * 1024
# To join what is said again costs as much as all that was said before: few may be said.
_MOST_HEADERS = 100
_LARGEST = 64 * 1024
_VERSIONS = frozenset({"1.0", "1.1"})


class ArrivingHead:
    """The heads of one connection, one after the other; `always` is the same in all of them.

    The parser itself calls `add_target` and `add_header`: each header costs what it must.
    """

    def __init__(self, always: Environ) -> None:
        self._always = always
        self.environ: Environ = {}
        self.target = b""
        self.is_whole = True
        self._size = 0
        self._headers_left = 0

    def begin(self) -> None:
        """Forget the one before."""
        self.environ = self._always.copy()
        self.target = b""
        self.is_whole = False
        self._size = 0
        # The one that is too many is seen, and none after it.
        self._headers_left = _MOST_HEADERS + 1

    def add_target(self, target: bytes) -> None:
        self.target += target

    def add_header(self, name: bytes, value: bytes) -> None:
        # Those that come after a body are nobody's.
        if self._headers_left:
            self._headers_left -= 1
            environs.add_header(self.environ, name, value)

    def is_large(self, length: int) -> bool:
        """Count a piece that it came in, with what else is in it; tell whether that is too much."""
        self._size += length
        return not self._headers_left or self._size > _LARGEST

    def end(
        self, parser: httptools.HttpRequestParser, length: int, is_proxy: Callable[[str], bool]
    ) -> RawResponse | None:
        """Complete it, with its last piece; return why it is refused, if it is."""
        is_large, environ = self.is_large(length), self.environ
        self.is_whole = True
        self._headers_left = 0
        if is_large:
            return LARGE_HEAD
        method, version = parser.get_method().decode("ascii"), parser.get_http_version()
        if version not in _VERSIONS or ("HTTP_HOST" not in environ and version == "1.1"):
            return UNREADABLE
        environs.complete(environ, method, self.target, version, is_proxy)
        return None
