"""Verifications in the API: which requests failed, and why."""

import pytest

from apikeys.lifecycle import Environment
from apikeys.webhooks import enforcement, probing
from console.events import outbox
from tests.api.asking import Client
from tests.api.resources.webhooks.calls import create
from tests.apikeys import world
from tests.apikeys.webhooks.receiving import Receiver

PATH = "/webhook-verifications"


@pytest.fixture
def careless(settings):
    """A receiver that accepts every request, so verification fails."""
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    settings.WEBHOOK_ALLOW_HTTP = True
    settings.WEBHOOK_PROBE_PAUSE_MS = 0
    server = Receiver(lambda *_: (200, b"ok"))
    yield server
    server.shutdown()
    server.server_close()


def test_a_failed_verification_says_which_requests_failed_and_why(client, careless):
    made = create(client, url=careless.url).json
    asked = client.do("webhook_endpoints.verify", made["id"]).json
    running = client.read(f"{PATH}/{asked['id']}")
    assert (running["status"], running["results"]) == ("running", [])

    outbox.settle()
    probing.do_what_waits()
    shown = client.read(f"{PATH}/{asked['id']}")

    assert (shown["status"], shown["method"], shown["endpoint_id"]) == ("failed", None, made["id"])
    assert shown["completed_at"]
    assert len(shown["results"]) == sum(probe.times for probe in enforcement.FULL)
    failed = {one["request"]: one for one in shown["results"] if not one["passed"]}
    assert sorted(failed) == ["N1", "N2", "N3", "N4", "N5"]
    assert failed["N4"] == {
        "request": "N4",
        "passed": False,
        "expected": "4xx",
        "response_status": 200,
        "error": None,
        "explanation": "Your endpoint accepted a delivery whose timestamp was 6 minutes old.",
    }


def test_a_verification_of_another_business_or_environment_is_not_read(api, client, made):
    asked = client.do("webhook_endpoints.verify", made["id"]).json
    grant = world.a_grant(environment=Environment.LIVE, products=("webhooks",))
    stranger = Client(api, world.a_key(grant, scopes=("webhooks:read",))[1], root="/v1")

    assert client.read(f"{PATH}/{asked['id']}")["id"] == asked["id"]
    assert stranger.do("webhook_verifications.read", asked["id"]).code == "NOT_FOUND"
