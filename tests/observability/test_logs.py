"""Logs: one id for each request, its duration, and silence while nothing happens."""

import json
import time
import urllib.request

import pytest
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from tests.services import Services
from tests.waiting import eventually

PARTS = ("worker", "beat", "deliver", "web")


@pytest.mark.parametrize("path", ["/sign-in/", "/sandbox/v1/me", "/no/such/page/"])
def test_a_request_has_one_id_and_a_duration(client, path):
    with capture_logs(processors=[merge_contextvars]) as lines:
        answer = client.get(path)
    (line,) = (line for line in lines if line["event"].startswith("request_"))
    assert line["event"] == "request_finished"
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert line["duration_ms"] > 0


def test_a_request_that_fails_has_them_too(client, monkeypatch):
    monkeypatch.setattr("console.accounts.members.find_invitation", lambda _: 1 / 0)
    client.raise_request_exception = False
    with capture_logs(processors=[merge_contextvars]) as lines:
        answer = client.get("/invitation/some-token/")
    failed = next(line for line in lines if line["event"] == "request_failed")
    assert failed["request_id"] == answer.headers["X-Request-Id"]
    assert failed["duration_ms"] > 0


@pytest.mark.services
def test_an_idle_installation_logs_nothing(services: Services):
    services.start("broker", *PARTS)
    time.sleep(5)  # the jobs of the start
    before = {part: services.log_of(part).read_text() for part in PARTS}
    until = time.monotonic() + 8
    while time.monotonic() < until:
        for path in ("/livez", "/readyz"):
            urllib.request.urlopen(services.url + path, timeout=60).close()
        time.sleep(1)
    added = {part: services.log_of(part).read_text()[len(before[part]) :] for part in PARTS}
    assert added == dict.fromkeys(PARTS, "")


@pytest.mark.services
def test_the_servers_lines_of_a_request_share_its_id(services: Services):
    services.start("web")
    with urllib.request.urlopen(f"{services.url}/sign-in/", timeout=60) as answer:
        mine = answer.headers["X-Request-Id"]

    def lines() -> list[dict[str, object]]:
        said = map(json.loads, services.log_of("web").read_text().splitlines())
        return [line for line in said if line.get("request_id") == mine]

    eventually(lambda: [line["event"] for line in lines()] == ["request_finished"])
