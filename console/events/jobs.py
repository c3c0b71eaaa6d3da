"""Do what the passing of time asks for: no job beside itself, and a night's once a day.

wake(name)   let a job begin now or later, where a broker answers
wake_on_commit(name)   the same after this transaction
run(job)     do it, unless it is being done, or is done for today
last(name)   -> when a nightly job was last done to its end
concerns()   -> the nightly jobs that were not for two nights
"""

import logging
import zlib
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import RUN_JOB, app
from console.core import clock, schedule
from console.events import work_claims
from console.events.models import NightlyRun

log = logging.getLogger(__name__)

# A night may fail; a second one in a row is for somebody to look at.
PATIENCE = timedelta(hours=50)
# A worker's clock may be behind the one that wrote the time.
_AFTER_COMMIT = timedelta(seconds=1)


def wake(name: str, *, after: timedelta = timedelta()) -> None:
    """Let a job begin, now or later. Where the broker does not answer, the time itself wakes it."""
    with suppress(BrokerSilent):
        app.send_task(RUN_JOB, kwargs={"name": name}, countdown=after.total_seconds() or None)


def wake_on_commit(name: str, *, after: timedelta) -> None:
    """Let a job begin some time after this transaction is committed, when its work is due."""
    soon = after + _AFTER_COMMIT
    transaction.on_commit(partial(wake, name, after=soon), robust=True)


def run(job: schedule.Job) -> None:
    """Do it, unless another worker is still at it. Whatever fails is logged: it comes again."""
    try:
        with work_claims.claim(work_claims.JOB, zlib.crc32(job.name.encode())) as claimed:
            if claimed:
                _run(job)
    except Exception:
        log.exception("job_failed", extra={"job": job.name})


def last(name: str) -> datetime | None:
    """Return when a nightly job was last done to its end."""
    return NightlyRun.objects.filter(name=name).values_list("ended_at", flat=True).first()


def concerns() -> list[str]:
    """Return which nightly jobs were not done for two nights; nothing before the first one."""
    runs = NightlyRun.objects.in_bulk([job.name for job in schedule.jobs() if job.nightly])
    return [
        _("The nightly job %(name)s has not run since %(date)s.")
        % {"name": name, "date": date(one.ended_at or one.since, "j F Y")}
        for name, one in sorted(runs.items())
        if clock.now() - (one.ended_at or one.since) > PATIENCE
    ]


def _run(job: schedule.Job) -> None:
    """Do a nightly job unless it ended today: whoever is killed amid it is made up for."""
    if not job.nightly:
        job.run()
        return
    now = clock.now()
    night, _created = NightlyRun.objects.get_or_create(name=job.name, defaults={"since": now})
    is_done = night.ended_at is not None and night.ended_at.date() == now.date()
    if job.knows_when_done or not is_done:
        job.run()
        NightlyRun.objects.filter(pk=night.pk).update(ended_at=clock.now())
