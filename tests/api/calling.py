"""A client that calls the API as a WSGI server does."""

import io
import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django.test import override_settings
from django.test.client import ClientHandler
from django.urls import Resolver404, resolve

from api.problem_reasons import FAULT_CODES, REASONS
from api.routers import ApiRouter
from api.v1 import urls
from api.viewsets import path_of

_addresses = itertools.count(1)
_handler: Any = ClientHandler(enforce_csrf_checks=True)


@dataclass
class Reply:
    """A response as sent."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body) if self.body else {}

    @property
    def code(self) -> str:
        """The error code in either envelope, or "" if it is not an error."""
        said = self.json
        return said.get("code", "") or said.get("meta", {}).get("code", "")


def environ(key: str, body: bytes) -> dict[str, Any]:
    """Return what a WSGI server says of every call that sends this body."""
    said = {
        "SCRIPT_NAME": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost:8000",
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "wsgi.url_scheme": "http",
    }
    return said | ({"HTTP_AUTHORIZATION": f"Bearer {key}"} if key else {})


class Caller:
    """A client with its own address, so that tests do not share limits."""

    def __init__(self) -> None:
        number = next(_addresses)
        self.ip = f"10.1.{number // 250}.{number % 250 + 1}"

    def get(self, path: str, key: str = "", query: str = "", **more: Any) -> Reply:
        return self.call("GET", path, key, query, **more)

    def call(
        self, method: str, path: str, key: str = "", query: str = "", body: bytes = b"", **more: Any
    ) -> Reply:
        about = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
        sent = environ(key, body) | about | {"wsgi.input": io.BytesIO(body)}
        return self.send(sent | {"REMOTE_ADDR": self.ip} | more)

    def post(self, path: str, key: str, body: object, **more: Any) -> Reply:
        """Send a body as JSON."""
        headers = {"CONTENT_TYPE": "application/json"} | more
        return self.call("POST", path, key, body=json.dumps(body).encode(), **headers)

    def send(self, sent: dict[str, Any]) -> Reply:
        response = _handler(sent)
        reply = Reply(response.status_code, dict(response.headers), response.content)
        _hold_to_its_row(sent, reply)
        return reply


@contextmanager
def serving(views: Mapping[str, Any]) -> Iterator[Caller]:
    """Serve the test's own ViewSets by path instead of the API's."""
    urlconf: Any = ModuleType("served")
    router = ApiRouter()
    for name, view in views.items():
        router.register(name, view)
    urlconf.urlpatterns = urls.patterns(router)
    with override_settings(ROOT_URLCONF=urlconf):
        yield Caller()


def _hold_to_its_row(sent: dict[str, Any], reply: Reply) -> None:
    """Check in every test that the error code is one that the operation's row lists."""
    try:
        match = resolve(sent["PATH_INFO"])
    except Resolver404:
        return
    view: Any = match.func
    action = getattr(view, "actions", {}).get(sent["REQUEST_METHOD"].lower())
    if action is None:
        return
    path = path_of(match.route.partition("v1/")[2])
    row = view.cls.describe(action, sent["REQUEST_METHOD"], path)
    if reply.body and reply.status >= 400:
        assert reply.code in row.every_code, f"{row.name} answered {reply.code}"
        _say_what_is_declared(reply, row.renderer.refusal())
        _say_why(reply)


def _say_what_is_declared(reply: Reply, shape: Any) -> None:
    """A refusal has only members that the contract describes."""
    said = reply.json
    if "meta" in said:
        said, shape = said["meta"], shape.fields["meta"]
    assert said.keys() <= shape.fields.keys(), reply.code


def _say_why(reply: Reply) -> None:
    """A refusal whose code has several causes says which, in a documented word."""
    said = reply.json.get("meta", reply.json)
    known = REASONS.get(reply.code, {})
    undeclared = {one["code"] for one in said.get("errors", [])} - FAULT_CODES.keys()
    assert not undeclared, f"{undeclared} not in the contract"
    if reason := said.get("reason"):
        assert reason in known, f"{reply.code} has no reason {reason}"
    elif reply.code in {"COMPLIANCE_BLOCKED", "NO_PROVIDER_ENABLED", "QUOTE_EXPIRED"}:
        raise AssertionError(f"{reply.code} has no reason")
    elif reply.code == "VALIDATION_ERROR":
        assert said.get("errors"), "a conflict has no reason"
