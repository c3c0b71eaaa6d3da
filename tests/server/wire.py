"""Bytes over a socket: what a client sends that no library would send, and what comes back."""

import socket
import time
from dataclasses import dataclass


@dataclass
class Heard:
    """What came back on one connection, and after how long it was closed, if it was."""

    data: bytes
    closed_after: float | None

    @property
    def status(self) -> int:
        return int(self.data[9:12]) if self.data else 0

    @property
    def headers(self) -> dict[str, str]:
        head = self.data.partition(b"\r\n\r\n")[0].decode("latin-1")
        lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
        return {name.lower(): value for name, _, value in lines}

    @property
    def body(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[2]


def head(method: str, path: str, *headers: str) -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def opened(port: int, data: bytes, *, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection and send something."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
    sock.sendall(data)
    return sock


def heard(sock: socket.socket, *, within: float = 40.0) -> Heard:
    """Read until the other side closes, or the time is over."""
    began, data = time.monotonic(), b""
    closed_after = None
    while (left := began + within - time.monotonic()) > 0:
        sock.settimeout(left)
        try:
            part = sock.recv(65536)
        except TimeoutError:
            break
        except ConnectionResetError:
            part = b""
        if not part:
            closed_after = time.monotonic() - began
            break
        data += part
    sock.close()
    return Heard(data, closed_after)


def said(port: int, data: bytes, *, within: float = 40.0) -> Heard:
    """Send something on a connection of its own; an answered request should ask to close it."""
    return heard(opened(port, data), within=within)
