"""Resend a range of deliveries: count first, then a worker queues them page by page.

An interrupted job continues after its last page, so one job never sends an event twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from apikeys.webhooks import endpoint_rules, endpoints, fan_out
from apikeys.webhooks.lifecycle import (
    REPLAY_LIFECYCLE,
    DeliveryKind,
    DeliveryStatus,
    ReplayStatus,
)
from apikeys.webhooks.models import PublicEvent, ReplayJob, WebhookDelivery, WebhookEndpoint
from console.accounts.actors import SYSTEM, Actor
from console.audit import log as audit
from console.core import clock
from console.core.refusals import AlreadyDone, Refused, WrongStatus
from console.events import outbox as events
from console.events.models import Event

PAGE = 500


class ReplayRefused(Refused):
    """The range cannot be resent. `field` names the invalid field."""

    code = "replay_refused"


@dataclass(frozen=True, kw_only=True)
class Range:
    """Deliveries created from `since` to `until`, of these kinds and statuses, or of all."""

    since: datetime
    until: datetime
    events: Sequence[str] = ()
    statuses: Sequence[str] = ()

    def of(self, endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
        """Return the original deliveries, oldest first, without test events and earlier resends."""
        found = WebhookDelivery.objects.filter(
            endpoint=endpoint,
            created_at__gte=self.since,
            created_at__lte=self.until,
            kind=DeliveryKind.NORMAL,
        )
        if self.events:
            found = found.filter(event_kind__in=self.events)
        if self.statuses:
            found = found.filter(status__in=self.statuses)
        return found.order_by("created_at", "pk")


def count(endpoint: WebhookEndpoint, wanted: Range) -> int:
    """Return the number of deliveries in a range, or raise ReplayRefused."""
    _check(wanted)
    return wanted.of(endpoint).count()


def newest_id(endpoint: WebhookEndpoint) -> str:
    """Return the id of the newest job of an endpoint, or ""."""
    newest = endpoint.replays.order_by("-pk").first()
    return newest.public_id if newest else ""


@transaction.atomic
def start(
    endpoint: WebhookEndpoint, wanted: Range, *, seen: str | None = None, by: Actor
) -> ReplayJob:
    """Request the replay of a range. Only one job per endpoint can run at a time.

    `seen` is the id of the newest job when the page was opened, so a form that is sent twice
    starts one job.
    """
    endpoint = endpoints.locked(endpoint, by)
    if seen not in (None, newest_id(endpoint)):
        raise AlreadyDone(
            "A replay was started after you opened this page. Look at it before you start another."
        )
    if endpoint.replays.filter(status=ReplayStatus.RUNNING).exists():
        raise WrongStatus(
            "A replay is already running. Wait until it finishes.", reason="replay_running"
        )
    now = clock.now()
    # Later deliveries are sent anyway, so they are not part of the range.
    wanted = replace(wanted, until=min(wanted.until, now))
    job = ReplayJob.objects.create(
        endpoint=endpoint,
        since=wanted.since,
        until=wanted.until,
        events=list(wanted.events),
        statuses=list(wanted.statuses),
        counted=count(endpoint, wanted),
        asked_at=now,
    )
    _announce(job, "replay_job.running", by=by, counted=job.counted)
    return job


@transaction.atomic
def cancel(job: ReplayJob, *, by: Actor) -> ReplayJob:
    """Cancel a job. Deliveries that are already queued are still sent."""
    endpoints.locked(job.endpoint, by)
    return _end(_locked(job), ReplayStatus.CANCELLED, by=by)


def work(event: Event) -> None:
    """Queue pages until the job is done or cancelled. Runs in a worker. Idempotent."""
    job = ReplayJob.objects.select_related("endpoint").get(public_id=event.subject_id)
    while job.status == ReplayStatus.RUNNING:
        job = next_page(job, by=SYSTEM)


@transaction.atomic
def next_page(job: ReplayJob, *, by: Actor) -> ReplayJob:
    """Queue one page of a job, or end it if nothing is left."""
    job = _locked(job)
    if job.status != ReplayStatus.RUNNING:
        return job
    wanted = Range(since=job.since, until=job.until, events=job.events, statuses=job.statuses)
    left = wanted.of(job.endpoint)
    if job.place_at is not None:
        after = Q(created_at__gt=job.place_at) | Q(created_at=job.place_at, pk__gt=job.place_id)
        left = left.filter(after, created_at__gte=job.place_at)
    page = list(left[:PAGE])
    if not page:
        return _end(job, ReplayStatus.DONE, by=by)
    events_kept = _events_of(page)
    pairs = [
        (job.endpoint_id, events_kept[delivery.event_id])
        for delivery in page
        if delivery.event_id in events_kept
    ]
    job.queued += len(fan_out.queue(pairs, DeliveryKind.REPLAY, clock.now()))
    job.place_at, job.place_id = page[-1].created_at, page[-1].pk
    job.save(update_fields=["queued", "place_at", "place_id"])
    return job


def _events_of(page: Sequence[WebhookDelivery]) -> dict[str, PublicEvent]:
    """Return the stored events of deliveries by id, without their bodies."""
    moments = [delivery.event_created_at for delivery in page]
    kept = PublicEvent.objects.filter(
        public_id__in=[delivery.event_id for delivery in page],
        created_at__range=(min(moments), max(moments)),
    )
    return {event.public_id: event for event in kept.defer("body")}


def _check(wanted: Range) -> None:
    kept = timedelta(days=settings.WEBHOOK_EVENT_DAYS)
    if wanted.since >= wanted.until:
        raise ReplayRefused("The end of the range must be after its start.", field="until")
    if wanted.since < clock.now() - kept:
        raise ReplayRefused(
            f"We keep events for {kept.days} days. Choose a later start.", field="since"
        )
    if unknown := sorted(set(wanted.statuses) - set(DeliveryStatus.values)):
        raise ReplayRefused(f"There is no status {unknown[0]:.40}.", field="statuses")
    if len(wanted.events) > endpoint_rules.MOST_KINDS:
        raise ReplayRefused(
            f"List at most {endpoint_rules.MOST_KINDS} event types.", field="events"
        )


def _locked(job: ReplayJob) -> ReplayJob:
    rows = ReplayJob.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("endpoint__business").get(pk=job.pk)


def _end(job: ReplayJob, to: ReplayStatus, *, by: Actor) -> ReplayJob:
    REPLAY_LIFECYCLE.check(job.status, to)
    job.status, job.ended_at = to, clock.now()
    job.save(update_fields=["status", "ended_at"])
    _announce(job, f"replay_job.{to}", by=by, queued=job.queued)
    return job


def _announce(job: ReplayJob, code: str, *, by: Actor, **counts: Any) -> None:
    endpoint = job.endpoint
    audit.record(
        code,
        job,
        by=by,
        business=endpoint.business,
        environment=endpoint.environment,
        endpoint=endpoint.public_id,
        **counts,
    )
    events.publish(code, job, business=endpoint.business.public_id)
