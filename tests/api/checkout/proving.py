"""A name server and a web server on loopback that hold the proof of a domain."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dns.message
import dns.rdatatype
import dns.rrset

from tests.core import receiving

DOMAIN = "shop.example.com"


class NameServer:
    """Answers TXT questions over UDP from `records`. A name without records does not exist."""

    def __init__(self) -> None:
        self.records: dict[str, list[str]] = {}
        self.asked: list[str] = []
        self.is_silent = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        # An empty datagram ends the thread, which would keep the port open.
        host, port = self._socket.getsockname()
        self._socket.sendto(b"", (host, port))

    def _serve(self) -> None:
        with self._socket:
            while True:
                data, client = self._socket.recvfrom(4096)
                if not data:
                    return
                if not self.is_silent:
                    self._socket.sendto(self._answer(dns.message.from_wire(data)), client)

    def _answer(self, question: dns.message.Message) -> bytes:
        answer: Any = dns.message.make_response(question)
        name = question.question[0].name
        self.asked.append(name.to_text(omit_final_dot=True))
        if records := self.records.get(self.asked[-1]):
            quoted = [" ".join(f'"{part}"' for part in one.split("|")) for one in records]
            answer.answer.append(dns.rrset.from_text(name, 1, "IN", "TXT", *quoted))
        else:
            answer.set_rcode(3)
        return bytes(answer.to_wire())


@contextlib.contextmanager
def a_name_server() -> Iterator[NameServer]:
    """Run a name server during the block."""
    server = NameServer()
    try:
        yield server
    finally:
        server.close()


class Site:
    """A site over TLS. `response` is its whole response, and `requests` what it was sent."""

    def __init__(self, folder: Path) -> None:
        self.certificate = receiving.certificate(folder, host=DOMAIN)
        self.response = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        self.requests: list[bytes] = []
        self.behave = receiving.over_tls(self._behave, self.certificate)

    def serve(self, body: bytes, status: str = "200 OK", more: str = "") -> None:
        """Respond with this body from now on."""
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
        self.response = head.encode() + body

    def _behave(self, one: socket.socket) -> None:
        self.requests.append(receiving.request_of(one))
        one.sendall(self.response)
