"""The reference provider as a process, called as the console calls it, and a stand-in console."""

import base64
import hmac
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.guards.tree import ROOT
from tests.services import free_port
from tests.waiting import POLL, eventually

PROGRAM = ROOT / "examples/provider/provider.py"
REQUEST_SECRET = "whsec_" + base64.b64encode(b"signs requests of the console").decode()
EVENT_SECRET = "whsec_" + base64.b64encode(b"signs events of the provider").decode()
DELAY = 0.3


class ReferenceProvider:
    """A running reference provider with its data in a folder, perhaps one that was changed."""

    def __init__(
        self, folder: Path, console: str, program: Path = PROGRAM, **variables: str
    ) -> None:
        self.program = program
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "PROVIDER_REQUEST_SECRET": REQUEST_SECRET,
            "PROVIDER_EVENT_SECRET": EVENT_SECRET,
            "PROVIDER_PORT": str(self.port),
            "PROVIDER_DATA": str(folder / "provider.sqlite3"),
            "PROVIDER_DELAY": str(DELAY),
            "CONSOLE_URL": console,
        } | variables
        self.log = folder / "provider.log"
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, self.program], env=self.environment, stdout=log, stderr=log
            )
        eventually(self._answers)

    @property
    def toml(self) -> str:
        """The setting that connects it, as the provider `bank`."""
        return (
            f'[bank]\nurl = "{self.url}"\n'
            'work = ["payouts", "payroll", "refunds", "virtual_accounts", "remittance",'
            ' "conversions", "cards"]\n'
            f'request_secret = "{REQUEST_SECRET}"\nevent_secrets = ["{EVENT_SECRET}"]\n'
        )

    def kill(self) -> None:
        """End it at once, like a power cut."""
        self.process.kill()
        self.process.wait()

    def call(self, method: str, path: str, body: Any = None, **changes: Any) -> tuple[int, Any]:
        """Return the status and the JSON of a signed call, with some headers changed."""
        data = b"" if body is None else body if isinstance(body, bytes) else _json(body)
        headers = signed(f"{method} {path}", data, REQUEST_SECRET) | changes
        request = urllib.request.Request(
            self.url + path, data if method != "GET" else None, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def page(self) -> str:
        with urllib.request.urlopen(self.url, timeout=20) as answer:
            text: str = answer.read().decode()
            return text

    def press(self, what: str, form: str, **headers: str) -> int:
        """Send a form of the page; return the status of the page that follows."""
        url = f"{self.url}/page/{what}"
        request = urllib.request.Request(url, form.encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status: int = answer.status
                return status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return bool(self.page())
        except OSError:
            return False


def _json(body: Any) -> bytes:
    return json.dumps(body).encode()


def signed(identifier: str, body: bytes, secret: str, *, at: float | None = None) -> dict[str, str]:
    """Return the headers of Standard Webhooks, computed here a second time."""
    timestamp = str(int(time.time() if at is None else at))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{identifier}.{timestamp}.".encode() + body, "sha256")
    return {
        "webhook-id": identifier,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
        "Content-Type": "application/json",
    }


class StandInConsole(ThreadingHTTPServer):
    """Notes the events that arrive. `statuses` are its next answers; afterwards it says 202."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.statuses: list[int] = []
        self.received: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.received]

    def about(self, identifier: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["object"] == identifier]


class _Handler(BaseHTTPRequestHandler):
    server: StandInConsole

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.statuses.pop(0) if self.server.statuses else 202
        self.server.received.append((self.path, dict(self.headers), body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def running(
    folder: Path, *, program: Path = PROGRAM, variables: dict[str, str] | None = None
) -> Iterator[tuple[ReferenceProvider, StandInConsole]]:
    """Run the provider and a stand-in console for its events."""
    console = StandInConsole()
    thread = threading.Thread(target=console.serve_forever, args=(POLL,))
    thread.start()
    try:
        provider = ReferenceProvider(folder, console.url, program, **(variables or {}))
        try:
            yield provider, console
        finally:
            provider.kill()
    finally:
        console.shutdown()
        thread.join()
        console.server_close()
