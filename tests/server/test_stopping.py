"""A web server that is told to stop ends what is half-sent, and writes down what it answered."""

import time

import pytest

from apikeys.models import RequestLog
from console.launch import programs
from tests.server.wire import head, heard, opened, said
from tests.services import Services
from tests.waiting import PATIENCE

pytestmark = pytest.mark.services


def test_it_stops_soon_and_loses_nothing(services: Services) -> None:
    services.start("web")
    half = [
        opened(services.port, head("POST", path, "Content-Length: 100") + b"abcdef")
        for path in ("/sign-in/", "/sandbox/v1/me")
    ]
    opening = opened(services.port, b"GET / HTTP/1.1\r\nHost: local")
    answered = said(services.port, head("GET", "/sandbox/v1/nothing", "Connection: close"))
    assert answered.status == 404
    began = time.monotonic()
    services.processes["web"].terminate()
    told = [heard(sock) for sock in half]
    assert services.processes["web"].wait(PATIENCE) == 0
    assert time.monotonic() - began < programs.STOP_SECONDS
    assert [(one.status, one.headers["retry-after"]) for one in told] == [(503, "5")] * 2
    opening.close()
    written = set(RequestLog.objects.values_list("request_id", "status"))
    ours = answered.headers["x-request-id"]
    theirs = told[1].headers["x-request-id"]
    assert {(ours, 404), (theirs, 503)} <= written
