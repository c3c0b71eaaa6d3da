"""Raw bytes and HTTPS requests over sockets, from a chosen loopback address."""

import http.client
import socket
import ssl
from dataclasses import dataclass
from functools import cache

HOST = "console.example.com"


@dataclass
class Heard:
    """The response on one connection."""

    data: bytes

    @property
    def status(self) -> int:
        return int(self.data[9:12]) if self.data else 0

    @property
    def body(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[2]

    def header(self, name: str) -> str:
        """Return a header of the response, or fail if there is none."""
        lines = self.data.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
        return dict(line.split(": ", 1) for line in lines)[name]


def head(method: str, path: str, *headers: str) -> bytes:
    """Return a request line and headers as bytes."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def said(port: int, data: bytes) -> Heard:
    """Send bytes that ask to close the connection, and return the response."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as sock:
        sock.sendall(data)
        while part := sock.recv(65536):
            answer += part
    return Heard(answer)


@cache
def trusting(certificate: str) -> ssl.SSLContext:
    """Return a TLS context that trusts the certificate of a test's proxy."""
    return ssl.create_default_context(cafile=certificate)


def connected(
    port: int, certificate: str, *, source: str = "127.0.0.1", timeout: float = 60
) -> http.client.HTTPSConnection:
    """Connect to a test's proxy by TLS from a loopback address."""
    context = trusting(certificate)
    to = http.client.HTTPSConnection(HOST, context=context, timeout=timeout)
    link = socket.create_connection(("127.0.0.1", port), timeout, (source, 0))
    to.sock = context.wrap_socket(link, server_hostname=HOST)
    return to
