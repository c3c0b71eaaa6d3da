"""A receiver of webhooks on this machine that answers by what it makes of each request."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from api.reference import verifier_samples

made: dict[str, Any] = {}
exec(verifier_samples.PYTHON, made)
verify = made["verify"]

# What a receiver does with (headers, body, secret): the status, and what it answers.
Receive = Callable[[Any, bytes, str], tuple[int, bytes]]


class Receiver(ThreadingHTTPServer):
    """A real server on loopback that answers as it is told."""

    def __init__(self, receive: Receive) -> None:
        self.receive, self.secret = receive, ""
        self.asked: list[tuple[dict[str, str], bytes]] = []
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hooks"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((dict(self.headers), body))
        status, answer = self.server.receive(self.headers, body, self.server.secret)
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def by_the_specification(headers: Any, body: bytes, secret: str) -> tuple[int, bytes]:
    """Take what is signed rightly, and refuse the rest."""
    return (204 if verify(secret, headers["Service-Signature"], body) else 400), b""
