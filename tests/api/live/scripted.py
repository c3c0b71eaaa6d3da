"""A provider in this process that answers as a test says, over real HTTP."""

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.conf import settings
from django.test import override_settings

from api.providers import signatures
from apikeys.webhooks import webhook_secrets

# What a test lets the provider do instead of answering.
DROP = "drop"
NAME = "bank"
WORK = (
    *("payouts", "payroll", "refunds", "virtual_accounts"),
    *("remittance", "conversions", "cards"),
)


@dataclass
class Scripted:
    """What arrived, and what to answer next; by default an instruction is accepted.

    `answers` holds `(status, body)`, a function of the path that returns it, or DROP to close the
    connection after acting.
    """

    name: str = NAME
    work: Sequence[str] = WORK
    request_secret: str = field(default_factory=webhook_secrets.make)
    event_secret: str = field(default_factory=webhook_secrets.make)
    answers: deque[Any] = field(default_factory=deque)
    seen: list[tuple[str, str, Any]] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    # Statements by currency and day. Without one, the provider does not know the business.
    statements: dict[tuple[str, str], Any] = field(default_factory=dict)
    objections: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def toml(self) -> str:
        """The setting that connects it."""
        return (
            f'[{self.name}]\nurl = "http://127.0.0.1:{self.port}"\nseconds = 2\n'
            f"work = {json.dumps(self.work)}\n"
            f'request_secret = "{self.request_secret}"\n'
            f'event_secrets = ["{self.event_secret}"]\n'
        )

    def answer(self, method: str, path: str, body: bytes) -> Any:
        """Act on a request and return its answer."""
        sent = json.loads(body) if body else None
        self.seen.append((method, path, sent))
        if method == "PUT":
            known = self.kept.setdefault(path, sent)
            if known != sent:
                return 409, {"error": {"code": "conflict", "message": "Another body."}}
        if path.startswith("/statements/"):
            _, _, currency, day = path.partition("?")[0].split("/")
            if (found := self.statements.get((currency, day))) is None:
                return 404, {}
            return 200, found
        if self.answers:
            said = self.answers.popleft()
            return said(path) if callable(said) else said
        if path not in self.kept:
            return 404, {"error": {"code": "not_found", "message": "Unknown."}}
        status = "pending" if path.startswith("/accounts/") else "accepted"
        return 200, {"id": path.rpartition("/")[2], "status": status}

    def sent(self, method: str = "") -> list[str]:
        """Return the paths that were asked for."""
        return [path for seen, path, _ in self.seen if method in ("", seen)]


@contextmanager
def connected(
    provider: Scripted | None = None, beside: Scripted | None = None
) -> Iterator[Scripted]:
    """Run one and connect it to live, perhaps beside another."""
    provider = provider or Scripted()

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            given = {name.lower(): value for name, value in self.headers.items()}
            said = signatures.objection([provider.request_secret], given, body)
            if given.get(signatures.ID) != f"{self.command} {self.path}":
                said = said or "webhook-id names another request."
            if said:
                provider.objections.append(said)
            answer = provider.answer(self.command, self.path, body)
            if answer == DROP:
                self.close_connection = True
                return
            status, document = answer
            content = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = handle_one  # noqa: N815  # as the library names them

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        others = beside.toml if beside else ""
        with override_settings(LIVE_PROVIDERS=others + provider.toml):
            yield provider
    finally:
        server.shutdown()
        server.server_close()
    assert not provider.objections, provider.objections


def without() -> Any:
    """Return what disconnects every provider."""
    assert settings.LIVE_PROVIDERS
    return override_settings(LIVE_PROVIDERS="")
