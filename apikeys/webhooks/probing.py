"""Run the requested verification rounds, and request the weekly ones.

One job runs them one after another, so a slow endpoint delays other verifications but nothing else.
A round that a worker did not finish starts again.
"""

import secrets
import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from apikeys.webhooks import (
    delivery_headers,
    enforcement,
    envelope,
    verification,
    webhook_secrets,
)
from apikeys.webhooks.deliveries import PING, Ping
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import EndpointProbe, WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.core import clock, ids, outbound
from console.events import jobs
from console.events.models import Event

JOB = "webhooks.probe"
_WEEK = timedelta(days=7)
# Time limit for one round, in seconds; the remaining requests are not sent.
_MOST_SECONDS = 60


class ProbePing(Ping):
    """The `data` of a probe: a test event with a challenge, to prove knowledge of the secret."""

    challenge: str


def probe_asked(event: Event) -> None:
    """Start the round now. If the job is already running, it does this round too."""
    jobs.wake(JOB)


def do_what_waits() -> None:
    """Run every waiting round, manually requested ones first. Runs only as JOB."""
    while probe := _next():
        _do(probe)


def ask_weekly() -> None:
    """Request a round for each verified live endpoint without one in the last week."""
    due = WebhookEndpoint.objects.verified_live().filter(probed_weekly=True)
    recent = EndpointProbe.objects.filter(asked_at__gt=clock.now() - _WEEK).values("endpoint")
    for endpoint in due.exclude(pk__in=recent).order_by("pk"):
        verification.ask_weekly(endpoint, by=SYSTEM)


def _next() -> EndpointProbe | None:
    waiting = EndpointProbe.objects.filter(ended_at=None)
    return waiting.order_by("weekly", "asked_at", "pk").first()


def _do(probe: EndpointProbe) -> None:
    """Send the requests of one round outside any transaction, and save the results."""
    # `durable` raises an error within another transaction, so no transaction waits for the network.
    with transaction.atomic(durable=True):
        endpoint = WebhookEndpoint.objects.get(pk=probe.endpoint_id)
    results: list[dict[str, object]] = []
    probes = enforcement.WEEKLY if probe.weekly else enforcement.FULL
    if endpoint.removed_at is None and endpoint.paused_reason != PausedReason.ABUSE:
        began = time.monotonic()
        for one in enforcement.in_random_order(probes):
            if time.monotonic() - began > _MOST_SECONDS:
                break
            if results:
                time.sleep(settings.WEBHOOK_PROBE_PAUSE_MS / 1000)
            results.append(_send(endpoint, one))
    method = enforcement.method_of(probes, results)
    verification.settle(probe, results, method=method, by=SYSTEM)


def _send(endpoint: WebhookEndpoint, probe: enforcement.Probe) -> dict[str, object]:
    keys = signing_secrets(endpoint)
    event_id, challenge = ids.new("evt"), secrets.token_urlsafe(24)
    body = envelope.body_of(
        event_id=event_id,
        kind=PING,
        created_at=clock.now(),
        environment=endpoint.environment,
        api_version=endpoint.api_version,
        sequence=None,
        data=ProbePing(id=endpoint.public_id, challenge=challenge).model_dump(mode="json"),
    )
    now = int(clock.now().timestamp())
    headers = {
        **delivery_headers.constant(),
        "Service-Event-Id": event_id,
        "Service-Event-Type": PING,
        "Service-Delivery-Id": ids.new("whd"),
        "Service-Delivery-Attempt": "1",
        **enforcement.signature_headers(probe, keys, event_id, now, body),
    }
    answer = outbound.post(endpoint.url, body, headers)
    return enforcement.result(probe, answer, challenge, keys[0])


def signing_secrets(endpoint: WebhookEndpoint) -> list[str]:
    """Return the secrets to sign with, newest first."""
    sealed = [endpoint.secret]
    ends = endpoint.previous_secret_ends_at
    if endpoint.previous_secret is not None and ends is not None and ends > clock.now():
        sealed.append(endpoint.previous_secret)
    return [webhook_secrets.open_(bytes(one), endpoint.public_id) for one in sealed]
