"""Verify endpoints: request a round of probes, and save its result."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apikeys.webhooks import endpoint_events, endpoints, fan_out
from apikeys.webhooks.lifecycle import Verification
from apikeys.webhooks.models import EndpointProbe, WebhookEndpoint
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.core import clock
from console.core.refusals import TooMany, WrongStatus

MOST_A_DAY = 10
# Consecutive weekly rounds that must fail before a verification lapses.
MOST_FAILED = 2
_DAY = timedelta(days=1)


@transaction.atomic
def ask(endpoint: WebhookEndpoint, *, by: Actor) -> EndpointProbe:
    """Request the round that verifies an endpoint. A worker runs it.

    If one is in progress, that one is returned.
    """
    endpoint = endpoints.locked(endpoint, by)
    endpoints.refuse_stopped(endpoint)
    running = endpoint.probes.filter(ended_at=None).first()
    if running is not None and running.weekly:
        raise WrongStatus(
            "The weekly check of this endpoint is in progress. Try again in a minute.",
            reason="weekly_check_running",
        )
    if running is not None:
        return running
    _refuse_too_many(endpoint)
    return _begin(endpoint, weekly=False, by=by)


@transaction.atomic
def ask_weekly(endpoint: WebhookEndpoint, *, by: Actor) -> EndpointProbe | None:
    """Request a weekly round, or return None if the endpoint is not due or one is running."""
    endpoint = endpoints.locked(endpoint, by)
    due = WebhookEndpoint.objects.verified_live().filter(pk=endpoint.pk, probed_weekly=True)
    if not due.exists() or endpoint.probes.filter(ended_at=None).exists():
        return None
    return _begin(endpoint, weekly=True, by=by)


@transaction.atomic
def settle(
    probe: EndpointProbe, results: list[dict[str, Any]], *, method: str, by: Actor
) -> EndpointProbe:
    """End a round. `method` is how the endpoint proved itself, or "" if it did not.

    Idempotent. The round fails if the endpoint's URL changed or it was removed meanwhile.
    """
    endpoint = WebhookEndpoint.objects.get(pk=probe.endpoint_id)
    if endpoint.removed_at is None:
        endpoint = endpoints.locked(endpoint, by)
    probe = EndpointProbe.objects.get(pk=probe.pk)
    if probe.ended_at is not None:
        return probe
    counts = endpoint.removed_at is None and endpoint.url == probe.url
    probe.ended_at = clock.now()
    probe.passed, probe.method = counts and bool(method), method if counts else ""
    probe.results = results if counts else []
    probe.save()
    if counts:
        _follow(endpoint, probe, by=by)
    return probe


def newest(endpoint: WebhookEndpoint) -> EndpointProbe | None:
    """Return the newest round, manual or weekly; it may be in progress."""
    return endpoint.probes.order_by("-asked_at", "-pk").first()


def verified_since(business: Business) -> datetime | None:
    """Return since when a business has a verified, active live endpoint, or None."""
    found = WebhookEndpoint.objects.verified_live().filter(business=business)
    return found.order_by("verified_at").values_list("verified_at", flat=True).first()


def _refuse_too_many(endpoint: WebhookEndpoint) -> None:
    asked = endpoint.probes.filter(weekly=False, asked_at__gt=clock.now() - _DAY)
    moments = list(asked.order_by("-asked_at").values_list("asked_at", flat=True)[:MOST_A_DAY])
    if len(moments) == MOST_A_DAY:
        wait = moments[-1] + _DAY - clock.now()
        raise TooMany(
            f"You can verify an endpoint {MOST_A_DAY} times a day. Try again later.",
            retry_after=int(wait.total_seconds()) + 1,
        )


def _begin(endpoint: WebhookEndpoint, *, weekly: bool, by: Actor) -> EndpointProbe:
    probe = EndpointProbe.objects.create(
        endpoint=endpoint, url=endpoint.url, weekly=weekly, asked_at=clock.now()
    )
    endpoint_events.announce(
        endpoint, "webhook_endpoint.probe_asked", by=by, news={"probe": probe.public_id}
    )
    return probe


def _follow(endpoint: WebhookEndpoint, probe: EndpointProbe, *, by: Actor) -> None:
    """Update the verification from a round. A weekly round alone never verifies an endpoint."""
    was = endpoint.verification
    if not probe.passed:
        endpoint.failed_probes += int(probe.weekly)
        if probe.weekly and endpoint.failed_probes >= MOST_FAILED:
            endpoint.verification = Verification.LAPSED
    else:
        endpoint.failed_probes = 0
        if not probe.weekly:
            endpoint.verification, endpoint.verified_at = Verification.VERIFIED, probe.ended_at
            endpoint.verification_method = probe.method
    endpoint.save(
        update_fields=["verification", "verified_at", "verification_method", "failed_probes"]
    )
    if endpoint.verification != was:
        endpoint_events.announce(
            endpoint,
            "webhook_endpoint.verified" if probe.passed else "webhook_endpoint.lapsed",
            by=by,
            news={"probe": probe.public_id, "was": str(was)},
        )
        # Its held deliveries may be sent now.
        transaction.on_commit(lambda: fan_out.wake(endpoint.pk), robust=True)
    else:
        endpoint_events.announce(
            endpoint,
            "webhook_endpoint.probe_passed" if probe.passed else "webhook_endpoint.probe_failed",
            by=by,
            news={"probe": probe.public_id},
        )
