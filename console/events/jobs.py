"""Scheduled jobs: each runs one at a time, and nightly ones once a day.

wake(name)   start a job now or later, if the broker responds
wake_on_commit(name)   the same after this transaction
run(job)     run it, unless it is running, was already done today or, if scheduled, just now
last(name)   -> when a nightly job last finished
concerns()   -> nightly jobs that have missed two nights
"""

import logging
import zlib
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import RUN_JOB, app
from console.core import clock, schedule
from console.events import work_claims
from console.events.models import JobRun, NightlyRun

log = logging.getLogger(__name__)

# One missed night is tolerated; a second in a row needs attention.
PATIENCE = timedelta(hours=50)
# A worker's clock may be behind the one that wrote the time.
_AFTER_COMMIT = timedelta(seconds=1)


def wake(name: str, *, after: timedelta = timedelta()) -> None:
    """Start a job now or later. If the broker does not respond, the schedule starts it."""
    with suppress(BrokerSilent):
        app.send_task(RUN_JOB, kwargs={"name": name}, countdown=after.total_seconds() or None)


def wake_on_commit(name: str, *, after: timedelta) -> None:
    """Let a job begin some time after this transaction is committed, when its work is due."""
    soon = after + _AFTER_COMMIT
    transaction.on_commit(partial(wake, name, after=soon), robust=True)


def run(job: schedule.Job, *, scheduled: bool = False) -> None:
    """Run a job, unless another worker is running it. Failures are logged and retried later.

    A scheduled job runs once in each period, however many schedulers and workers ask for it.
    """
    try:
        with work_claims.claim(work_claims.JOB, zlib.crc32(job.name.encode())) as claimed:
            if claimed and (not scheduled or job.knows_when_done or _is_due(job)):
                _run(job)
    except Exception:
        log.exception("job_failed", extra={"job": job.name})


def last(name: str) -> datetime | None:
    """Return when a nightly job last finished."""
    return NightlyRun.objects.filter(name=name).values_list("ended_at", flat=True).first()


def concerns() -> list[str]:
    """Return which nightly jobs have missed two nights; none before a job's first run."""
    runs = NightlyRun.objects.in_bulk([job.name for job in schedule.jobs() if job.nightly])
    return [
        _("The nightly job %(name)s has not run since %(date)s.")
        % {"name": name, "date": date(one.ended_at or one.since, "j F Y")}
        for name, one in sorted(runs.items())
        if clock.now() - (one.ended_at or one.since) > PATIENCE
    ]


def _is_due(job: schedule.Job) -> bool:
    """Tell whether the last scheduled start is long enough ago, and store that it starts now."""
    JobRun.objects.bulk_create([JobRun(name=job.name)], ignore_conflicts=True)
    # Ticks are not exact, so take off a tenth.
    is_old = Q(started_at=None) | Q(started_at__lte=Now() - job.period * 0.9)
    # Ahead of the clock after a change of servers, for example.
    due = JobRun.objects.filter(is_old | Q(started_at__gt=Now()), name=job.name)
    return due.update(started_at=Now()) > 0


def _run(job: schedule.Job) -> None:
    """Run a job; a nightly one only if it has not finished today, so killed runs are repeated."""
    if not job.nightly:
        job.run()
        JobRun.objects.bulk_create(
            [JobRun(name=job.name, ended_at=clock.now())],
            update_conflicts=True, unique_fields=["name"], update_fields=["ended_at"],
        )  # fmt: skip
        return
    now = clock.now()
    night, _created = NightlyRun.objects.get_or_create(name=job.name, defaults={"since": now})
    is_done = night.ended_at is not None and night.ended_at.date() == now.date()
    if job.knows_when_done or not is_done:
        job.run()
        NightlyRun.objects.filter(pk=night.pk).update(ended_at=clock.now())
