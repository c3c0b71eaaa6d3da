"""A local webhook receiver that answers depending on the request."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from api.reference import verifier_samples
from tests.waiting import POLL

made: dict[str, Any] = {}
exec(verifier_samples.PYTHON, made)
verify = made["verify"]

# Takes (headers, body, secret) and returns the status and body of the answer.
Receive = Callable[[Any, bytes, str], tuple[int, bytes]]


class Receiver(ThreadingHTTPServer):
    """A real server with the given behaviour, on loopback unless a test changes the address."""

    address = "127.0.0.1"

    def __init__(self, receive: Receive) -> None:
        self.receive, self.secret = receive, ""
        self.asked: list[tuple[dict[str, str], bytes]] = []
        super().__init__((self.address, 0), _Handler)
        # Stopping waits for the next poll.
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.server_port}/hooks"


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
        """Do not log."""


def by_the_specification(headers: Any, body: bytes, secret: str) -> tuple[int, bytes]:
    """Accept valid signatures and refuse the rest."""
    return (204 if verify(secret, headers["Service-Signature"], body) else 400), b""
