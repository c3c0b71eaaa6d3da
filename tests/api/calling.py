"""A client that calls the gateway as a server does: with a WSGI environment, and nothing else."""

import io
import itertools
import json
from dataclasses import dataclass
from typing import Any

from api.gateway.gateway import Gateway, root_and_path

_addresses = itertools.count(1)


@dataclass
class Reply:
    """What came back over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes

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
        said: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]]) -> None:
            said.update(status=int(status.split()[0]), headers=dict(headers))

        body = b"".join(self.gateway(environ, start))
        reply = Reply(said["status"], said["headers"], body)
        self._hold_to_its_row(environ, reply)
        return reply

    def _hold_to_its_row(self, environ: dict[str, Any], reply: Reply) -> None:
        """Whatever a test asks: the code of the answer is one that the operation's row names."""
        _, path = root_and_path(environ["PATH_INFO"])
        methods, _ = self.gateway.table.find(path) or ({}, {})
        row = methods.get(environ["REQUEST_METHOD"])
        if row and reply.body and reply.status >= 400:
            assert reply.code in row.every_code, f"{row.name} answered {reply.code}"
