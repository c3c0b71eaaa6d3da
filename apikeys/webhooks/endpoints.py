"""Create, change, pause, resume, move and remove webhook endpoints, and rotate their secrets."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from apikeys import secrets as tokens
from apikeys.lifecycle import Environment
from apikeys.webhooks import addresses, endpoint_events, endpoint_rules, webhook_secrets
from apikeys.webhooks.lifecycle import (
    ENDPOINT_LIFECYCLE,
    EndpointStatus,
    PausedReason,
    Verification,
)
from apikeys.webhooks.models import DeliveryLane, WebhookEndpoint
from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.core import clock, text
from console.core.refusals import AlreadyDone, NotReady, Stale, WrongStatus
from console.events import work_claims

# How long the replaced secret still signs, for receivers that do not have the new one yet.
OVERLAP = timedelta(hours=24)


@transaction.atomic
def create(
    business: Business,
    environment: Environment,
    *,
    url: str,
    enabled_events: Sequence[str],
    description: str = "",
    once: str = "",
    by: Actor,
) -> tuple[WebhookEndpoint, str]:
    """Create an endpoint, and return it with its signing secret, which is shown once.

    `once` comes from the form, so a form that is sent twice creates one endpoint.
    """
    _require(by, business)
    work_claims.lock(work_claims.ENDPOINTS, business.pk)
    if once and WebhookEndpoint.objects.filter(business=business, once=once).exists():
        raise AlreadyDone(
            "You have already created this endpoint, and we showed its secret once. If "
            "nobody stored it, rotate the secret of the endpoint."
        )
    if blockers := endpoint_rules.create_blockers(Business.objects.locked(business), environment):
        raise NotReady("You cannot create an endpoint now.", blockers=blockers)
    address, wanted = addresses.read(url), endpoint_rules.kinds(enabled_events)
    endpoint_rules.refuse_twice(business, environment, address, wanted)
    endpoint = WebhookEndpoint(
        business=business,
        environment=environment,
        url=address,
        host=addresses.host_of(address),
        description=text.clean(description),
        enabled_events=wanted,
        api_version=settings.API_VERSION,
        created_at=clock.now(),
        secret_set_at=clock.now(),
        once=once or tokens.token(),
    )
    endpoint_rules.refuse_flood(endpoint)
    secret = webhook_secrets.make()
    endpoint.secret = webhook_secrets.seal(secret, endpoint.public_id)
    endpoint.save(force_insert=True)
    DeliveryLane.objects.create(endpoint=endpoint, served_at=clock.now())
    endpoint_events.announce(
        endpoint, "webhook_endpoint.created", by=by, url=address, events=wanted
    )
    return endpoint, secret


@transaction.atomic
def change(
    endpoint: WebhookEndpoint,
    *,
    enabled_events: Sequence[str] | None = None,
    description: str | None = None,
    probed_weekly: bool | None = None,
    seen: Mapping[str, Any] | None = None,
    by: Actor,
) -> WebhookEndpoint:
    """Change the kinds or the description of an endpoint. None leaves a field unchanged.

    `seen` are the values that the page showed, if any. Raises Stale if they have changed since.
    """
    endpoint = locked(endpoint, by)
    wanted: dict[str, Any] = {}
    if enabled_events is not None:
        wanted["enabled_events"] = endpoint_rules.kinds(enabled_events)
    if description is not None:
        wanted["description"] = text.clean(description)
    if probed_weekly is not None:
        wanted["probed_weekly"] = probed_weekly
    was = {name: getattr(endpoint, name) for name in wanted}
    if changed := [name for name in wanted if wanted[name] != was[name]]:
        if seen and was != seen:
            raise Stale("Somebody changed this endpoint after you opened this page.")
        for name in changed:
            setattr(endpoint, name, wanted[name])
        endpoint.save(update_fields=changed)
        endpoint_events.announce(
            endpoint, "webhook_endpoint.changed", by=by, before=was, after=wanted
        )
    return endpoint


@transaction.atomic
def move(endpoint: WebhookEndpoint, url: str, *, by: User) -> WebhookEndpoint:
    """Change the URL of an endpoint, which must then be verified again."""
    endpoint = locked(endpoint, by)
    was, address = endpoint.url, addresses.read(url)
    if address == was:
        return endpoint
    endpoint_rules.refuse_twice(
        endpoint.business, endpoint.environment, address, endpoint.enabled_events, but=endpoint
    )
    endpoint.url, endpoint.host = address, addresses.host_of(address)
    endpoint.verification, endpoint.verified_at = Verification.UNVERIFIED, None
    endpoint.verification_method, endpoint.failed_probes = "", 0
    endpoint_rules.refuse_flood(endpoint)
    endpoint.save()
    endpoint_events.announce(
        endpoint, "webhook_endpoint.moved", by=by, before={"url": was}, after={"url": address}
    )
    return endpoint


@transaction.atomic
def pause(
    endpoint: WebhookEndpoint, *, reason: PausedReason = PausedReason.MERCHANT, by: Actor
) -> WebhookEndpoint:
    """Pause an endpoint; its events are held. Idempotent."""
    endpoint = locked(endpoint, by)
    if endpoint.status == EndpointStatus.ACTIVE:
        _set_status(endpoint, EndpointStatus.PAUSED, reason, by=by)
    return endpoint


@transaction.atomic
def resume(endpoint: WebhookEndpoint, *, by: Actor) -> WebhookEndpoint:
    """Resume an endpoint, starting with its held events. Idempotent."""
    endpoint = locked(endpoint, by)
    refuse_stopped(endpoint)
    if endpoint.status == EndpointStatus.PAUSED:
        _resume(endpoint, by=by)
    else:
        # The dispatcher may have halted it, and no job has paused it yet.
        DeliveryLane.objects.filter(endpoint=endpoint, halted__gt="").update(**DeliveryLane.ANEW)
    return endpoint


@transaction.atomic
def stop_abuse(endpoint: WebhookEndpoint, *, reason: str, by: User) -> WebhookEndpoint:
    """Pause an endpoint that harms its receiver; only our staff can resume it."""
    access.require(by, Permission.ACCESS_SUSPEND)
    endpoint = WebhookEndpoint.objects.locked(endpoint)
    access.require_outsider(by, endpoint.business)
    act = "webhook_endpoint.stopped"
    if endpoint.status == EndpointStatus.ACTIVE:
        paused, abuse = EndpointStatus.PAUSED, PausedReason.ABUSE
        _set_status(endpoint, paused, abuse, act=act, by=by, why=reason)
    elif endpoint.paused_reason != PausedReason.ABUSE:
        endpoint.paused_reason = PausedReason.ABUSE
        endpoint.save(update_fields=["paused_reason"])
        endpoint_events.announce(
            endpoint,
            "webhook_endpoint.paused",
            act=act,
            by=by,
            news={"was": str(endpoint.status), "reason": PausedReason.ABUSE},
            why=reason,
        )
    return endpoint


@transaction.atomic
def lift_abuse(endpoint: WebhookEndpoint, *, reason: str, by: User) -> WebhookEndpoint:
    """Resume an endpoint that our staff had paused."""
    access.require(by, Permission.ACCESS_SUSPEND)
    endpoint = WebhookEndpoint.objects.locked(endpoint)
    access.require_outsider(by, endpoint.business)
    if endpoint.paused_reason != PausedReason.ABUSE:
        raise WrongStatus("Our staff have not stopped this endpoint.")
    _resume(endpoint, act="webhook_endpoint.let_on", by=by, why=reason)
    return endpoint


@transaction.atomic
def rotate_secret(
    endpoint: WebhookEndpoint,
    *,
    end_previous: bool = False,
    replaces: datetime | None = None,
    by: Actor,
) -> tuple[WebhookEndpoint, str]:
    """Rotate the signing secret; the new one is shown once.

    The replaced secret is valid for OVERLAP, or ends now if `end_previous`. `replaces` is when the
    secret shown on the page was created, so a form that is sent twice rotates once.
    """
    endpoint = locked(endpoint, by)
    if replaces not in (None, endpoint.secret_set_at):
        raise AlreadyDone(
            "This endpoint already got a new secret, which we showed once. If "
            "nobody stored it, rotate the secret again."
        )
    secret = webhook_secrets.make()
    replaced = bytes(endpoint.secret)
    endpoint.secret = webhook_secrets.seal(secret, endpoint.public_id)
    endpoint.secret_set_at = clock.now()
    endpoint.previous_secret = None if end_previous else replaced
    endpoint.previous_secret_ends_at = None if end_previous else clock.now() + OVERLAP
    endpoint.save()
    # Restart the count of which secret the receiver accepts.
    DeliveryLane.objects.filter(endpoint=endpoint).update(previous_accepted=0, current_accepted=0)
    endpoint_events.announce(
        endpoint, "webhook_endpoint.rotated", by=by, previous_ended=end_previous
    )
    return endpoint, secret


@transaction.atomic
def end_overlap(endpoint: WebhookEndpoint, *, by: Actor) -> WebhookEndpoint:
    """End the previous secret now. Idempotent."""
    endpoint = locked(endpoint, by)
    if endpoint.previous_secret is not None:
        endpoint.previous_secret = endpoint.previous_secret_ends_at = None
        endpoint.save(update_fields=["previous_secret", "previous_secret_ends_at"])
        endpoint_events.announce(endpoint, "webhook_endpoint.overlap_ended", by=by)
    return endpoint


@transaction.atomic
def remove(endpoint: WebhookEndpoint, *, by: Actor) -> None:
    """Remove an endpoint and abandon its pending deliveries; past deliveries stay on record."""
    endpoint = locked(endpoint, by)
    endpoint.removed_at = clock.now()
    # Delete the secrets, so nothing can be signed for it.
    endpoint.secret, endpoint.previous_secret = b"", None
    endpoint.previous_secret_ends_at = None
    endpoint.save()
    endpoint_events.announce(endpoint, "webhook_endpoint.removed", by=by)


def locked(endpoint: WebhookEndpoint, by: Actor) -> WebhookEndpoint:
    """Return the current row, locked until the transaction ends, if `by` may change it."""
    endpoint = WebhookEndpoint.objects.locked(endpoint)
    _require(by, endpoint.business)
    return endpoint


def refuse_stopped(endpoint: WebhookEndpoint) -> None:
    """Refuse what only our staff may do with an endpoint that they stopped."""
    if endpoint.paused_reason == PausedReason.ABUSE:
        raise WrongStatus(
            "Our staff stopped this endpoint. To resume it, write to us.", reason="endpoint_stopped"
        )


def _require(by: Actor, business: Business) -> None:
    """Check a person's roles. An API key was already authorised by its scope and business."""
    if isinstance(by, User) or not by.public_id:
        access.require(by, Permission.WEBHOOK_EDIT, business)


def _resume(endpoint: WebhookEndpoint, *, act: str = "", by: Actor, **details: Any) -> None:
    _set_status(endpoint, EndpointStatus.ACTIVE, None, act=act, by=by, **details)
    DeliveryLane.objects.filter(endpoint=endpoint).update(**DeliveryLane.ANEW)


def _set_status(
    endpoint: WebhookEndpoint,
    to: EndpointStatus,
    reason: PausedReason | None,
    *,
    act: str = "",
    by: Actor,
    **details: Any,
) -> None:
    ENDPOINT_LIFECYCLE.check(endpoint.status, to)
    was = endpoint.status
    endpoint.status = to
    endpoint.paused_reason = reason or ""
    endpoint.paused_at = clock.now() if reason else None
    endpoint.save(update_fields=["status", "paused_reason", "paused_at"])
    news = {"was": str(was), "reason": str(reason or "")}
    before, after = {"status": str(was)}, {"status": str(to)}
    endpoint_events.announce(
        endpoint, f"webhook_endpoint.{to}", act=act, by=by, news=news, before=before, after=after,
        **details,
    )  # fmt: skip
