"""Call user-supplied URLs safely: public addresses only, no redirects, bounded time and size.

The name is looked up once, every address is checked (`egress`), and we connect to an address that
was checked, so DNS rebinding has no effect. Proxies, cookies and credentials are not used.
"""

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import quote, urlsplit

from console.core import egress

MOST_BYTES = 16 * 1024
NOT_ALLOWED = "destination not allowed"
NOT_FOUND = "dns: name not found"
# How many addresses of one name to try, one after another.
_MOST_ADDRESSES = 3
# Abandoned lookups end by themselves, but there are never more than this.
_lookups = threading.BoundedSemaphore(64)
_AS_THEY_ARE = "!#$%&'()*+,/:;=?@[]~"
_CERTIFICATE = {
    10: "tls: certificate has expired",
    18: "tls: certificate is self-signed",
    19: "tls: certificate is self-signed",
    62: "tls: certificate is for another host",
    64: "tls: certificate is for another host",
}


@dataclass(frozen=True, kw_only=True)
class Patience:
    """Time limits in seconds: for the lookup, the connection, and the whole request.

    A forbidden address always takes `refused` seconds, so that our response time does not reveal
    what is on our network.
    """

    lookup: float = 2.0
    connect: float = 5.0
    total: float = 15.0
    refused: float = 1.0


@dataclass(frozen=True)
class OutboundAnswer:
    """The response: a status and the beginning of the body, or `error`, a stable message."""

    status: int | None = None
    body: bytes = b""
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def succeeded(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


# Makes an answer of a response while its connection is open.
Reader = Callable[[http.client.HTTPResponse], OutboundAnswer]


class _Failed(Exception):
    """The request got no response. The exception's text is one of the stable errors."""


def find(host: str, seconds: float) -> list[str]:
    """Return the addresses of a host, or raise OSError if none is found in time."""
    if not _lookups.acquire(blocking=False):
        raise TimeoutError("Too many names are being looked up.")
    found: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()
    # The system's resolver takes no timeout.
    threading.Thread(target=_find, args=(host, found), daemon=True).start()
    try:
        answer = found.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"{host} was not found in time.") from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    patience: Patience | None = None,
    most: int = MOST_BYTES,
) -> OutboundAnswer:
    """Send one POST and return the response with at most `most` bytes of its body.

    Never raises for what the other side does.
    """
    read = partial(_beginning, most=most)
    return _send("POST", url, body, headers, patience or Patience(), read)


def get(
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    patience: Patience | None = None,
    most: int = MOST_BYTES,
) -> OutboundAnswer:
    """Send one GET and return the response with at most `most` bytes of its body.

    Never raises for what the other side does.
    """
    read = partial(_beginning, most=most)
    return _send("GET", url, None, headers or {}, patience or Patience(), read)


def fetch(
    url: str, headers: Mapping[str, str], read: Reader, *, patience: Patience
) -> OutboundAnswer:
    """Send one GET and return what `read` makes of the response, or an error."""
    return _send("GET", url, None, headers, patience, read)


def _send(
    method: str,
    url: str,
    body: bytes | None,
    headers: Mapping[str, str],
    patience: Patience,
    read: Reader,
) -> OutboundAnswer:
    began = time.monotonic()
    parts = urlsplit(url)
    try:
        addresses = _checked(parts.hostname or "", patience)
    except _Failed as failed:
        return OutboundAnswer(error=str(failed))
    except egress.DestinationRefused:
        time.sleep(max(0.0, began + patience.refused - time.monotonic()))
        return OutboundAnswer(error=NOT_ALLOWED)
    path = quote(parts.path or "/", safe=_AS_THEY_ARE)
    if parts.query:
        path += "?" + quote(parts.query, safe=_AS_THEY_ARE)
    connection = _Connection(url, addresses, patience, began)
    try:
        return connection.ask(method, path, body, headers, read)
    except _Failed as failed:
        return OutboundAnswer(error=str(failed))
    finally:
        connection.end()


def _checked(host: str, patience: Patience) -> list[str]:
    """Return the addresses of a host. One forbidden address is enough to refuse the host."""
    if ":" in host and not egress.allows(host):
        raise egress.DestinationRefused  # with a zone it may not be an address at all
    try:
        found = find(host, patience.lookup)
    except TimeoutError:
        raise _Failed("dns: no answer in time") from None
    except (OSError, UnicodeError):
        raise _Failed(NOT_FOUND) from None
    if not all(egress.allows(address) for address in found):
        raise egress.DestinationRefused
    return found[:_MOST_ADDRESSES]


def _find(host: str, found: "queue.SimpleQueue[list[str] | OSError]") -> None:
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        found.put(list(dict.fromkeys(str(answer[4][0]) for answer in answers)))
    except OSError as failure:
        found.put(failure)
    except UnicodeError:
        found.put(socket.gaierror(socket.EAI_NONAME, "not a name"))
    finally:
        _lookups.release()


class _Connection(http.client.HTTPConnection):
    """One request to addresses that were already checked.

    At the deadline the socket is shut down, whatever it is waiting for. A timeout for each read
    alone would let a server send one byte a second forever.
    """

    def __init__(self, url: str, addresses: list[str], patience: Patience, began: float) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._addresses, self._patience = addresses, patience
        self._ends = began + patience.total
        self._late = False
        self._watch: threading.Timer | None = None
        # http.client drops `sock` once the headers are read, but the body is still to come.
        self._open: socket.socket | None = None
        self.default_port = 443 if self._secure else 80
        super().__init__(parts.hostname or "", parts.port or self.default_port)

    def ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], read: Reader
    ) -> OutboundAnswer:
        """Send the request and return the response, or raise `_Failed`."""
        try:
            self.request(method, path, body, {**headers, "Connection": "close"})
            return read(self.getresponse())
        except (OSError, http.client.HTTPException) as failure:
            raise _Failed(self._words(failure)) from None

    def connect(self) -> None:
        self._open = self.sock = self._reach()
        self._watch = threading.Timer(max(0.0, self._ends - time.monotonic()), self._shut)
        self._watch.daemon = True
        self._watch.start()
        if self._secure:
            secured = _context().wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self._open = self.sock = secured
            secured.do_handshake()

    def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self.close()

    def _reach(self) -> socket.socket:
        ends = min(self._ends, time.monotonic() + self._patience.connect)
        failure = OSError("no address")
        for address in self._addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            one = socket.socket(family, socket.SOCK_STREAM)
            one.settimeout(max(0.01, ends - time.monotonic()))
            try:
                one.connect((address, self.port))
            except OSError as failed:
                one.close()
                failure = failed
            else:
                one.settimeout(self._patience.total)
                return one
        if isinstance(failure, TimeoutError):
            raise _Failed("connect timeout")
        raise failure

    def _shut(self) -> None:
        self._late = True
        # Do not call the TLS socket's own shutdown, which would drop the session under the reading
        # thread.
        if self._open is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)

    def _words(self, failure: Exception) -> str:
        if self._late or isinstance(failure, TimeoutError):
            return f"timeout after {self._patience.total:g} s"
        if isinstance(failure, ssl.SSLCertVerificationError):
            return _CERTIFICATE.get(failure.verify_code, "tls: certificate is not trusted")
        if isinstance(failure, ssl.SSLError):
            return "tls: no agreement"
        if isinstance(failure, ConnectionRefusedError):
            return "connection refused"
        if isinstance(failure, http.client.RemoteDisconnected | ConnectionError):
            return "connection closed without an answer"
        if isinstance(failure, http.client.HTTPException):
            return "not an answer in http"
        return "connection failed"


def _beginning(answer: http.client.HTTPResponse, most: int = MOST_BYTES) -> OutboundAnswer:
    """Read the beginning of the body.

    A status within the time limit is an answer, whatever happens to the body.
    """
    read = b""
    try:
        while len(read) < most and (more := answer.read1(most - len(read))):
            read += more
    except (OSError, http.client.HTTPException, ValueError):
        pass
    return OutboundAnswer(answer.status, read, words_of(answer.status))


def _context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def words_of(status: int) -> str:
    """Return the stable error for a status, or "" for success."""
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return "redirect not followed"
    return "gone (410)" if status == http.client.GONE else f"http {status}"
