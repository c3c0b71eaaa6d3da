"""A server on loopback that keeps every body that is sent to it, by path."""

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli

from tests.waiting import POLL

_OPENED: dict[str | None, Callable[[bytes], bytes]] = {
    None: bytes,
    "gzip": gzip.decompress,
    "br": brotli.decompress,
}


class Collector(ThreadingHTTPServer):
    """Stands for a collector of traces and a receiver of error reports."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[tuple[str, bytes]] = []

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings that send traces and error reports here."""
        here = f"127.0.0.1:{self.server_address[1]}"
        return {"OTLP_ENDPOINT": f"http://{here}", "SENTRY_DSN": f"http://public@{here}/1"}

    def sent_to(self, path: str) -> bytes:
        return b"\n".join(body for at, body in self.bodies if at == path)

    @property
    def traces(self) -> bytes:
        return self.sent_to("/v1/traces")

    @property
    def reports(self) -> bytes:
        return self.sent_to("/api/1/envelope/")


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = _OPENED[self.headers["Content-Encoding"]](body)
        assert isinstance(self.server, Collector)
        # The headers were sent too.
        self.server.bodies.append((self.path, str(self.headers).encode() + body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def collector() -> Iterator[Collector]:
    """Run a collector during the block."""
    server = Collector()
    threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
