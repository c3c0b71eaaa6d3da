"""A client that calls the gateway as the server does: with a WSGI environment, and nothing else."""

import io
import itertools
import json
from dataclasses import dataclass
from typing import Any, NoReturn

from django.db import connection

from api.gateway.gateway import Gateway, root_and_path
from console.server.pools import Work
from console.server.responses import RawResponse

_addresses = itertools.count(1)


@dataclass
class Reply:
    """What came back over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes
    # Whether it was answered on the event loop.
    at_once: bool = False

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body) if self.body else {}

    @property
    def code(self) -> str:
        """The code of a refusal, in whichever envelope; empty for what is none."""
        said = self.json
        return said.get("code", "") or said.get("meta", {}).get("code", "")


class Caller:
    """Calls from an address of its own, so that tests do not use up each other's limits."""

    def __init__(self, gateway: Gateway) -> None:
        number = next(_addresses)
        self.gateway = gateway
        self.ip = f"10.1.{number // 250}.{number % 250 + 1}"

    def get(self, path: str, key: str = "", query: str = "", **more: Any) -> Reply:
        return self.call("GET", path, key, query, **more)

    def call(
        self, method: str, path: str, key: str = "", query: str = "", body: bytes = b"", **more: Any
    ) -> Reply:
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost:8000",
            "REMOTE_ADDR": self.ip,
            "CONTENT_LENGTH": str(len(body)) if body else "",
            "wsgi.input": io.BytesIO(body),
        }
        if key:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {key}"
        return self.send(environ | more)

    def send(self, environ: dict[str, Any]) -> Reply:
        found = self._begun(environ)
        at_once = isinstance(found, RawResponse)
        response = found if isinstance(found, RawResponse) else found()
        body = b"" if environ["REQUEST_METHOD"] == "HEAD" else response.body
        reply = Reply(response.status, dict(response.headers()), body, at_once)
        self._hold_to_its_row(environ, reply)
        return reply

    def _begun(self, environ: dict[str, Any]) -> RawResponse | Work:
        """Begin a call, which is done on the event loop: whatever asks a database there fails."""
        here = self.gateway.database._here
        link, here.link = getattr(here, "link", None), _Forbidden()
        try:
            with connection.execute_wrapper(_forbid):
                return self.gateway.begin(environ)
        finally:
            here.link = link

    def _hold_to_its_row(self, environ: dict[str, Any], reply: Reply) -> None:
        """Whatever a test asks: the code of the answer is one that the operation's row names."""
        _, path = root_and_path(environ["PATH_INFO"])
        methods, _ = self.gateway.table.find(path) or ({}, {})
        row = methods.get(environ["REQUEST_METHOD"])
        if row and reply.body and reply.status >= 400:
            assert reply.code in row.every_code, f"{row.name} answered {reply.code}"


class _Forbidden:
    """Stands in the place of a connection where none may be used."""

    def rows(self, *_: object) -> NoReturn:
        _forbid()


def _forbid(*_: object) -> NoReturn:
    raise AssertionError("The event loop has asked a database.")
