"""Whether the chain of scheduler, broker and worker works, from a job that does nothing.

concerns()      -> what is wrong, for the operators' page
log_silence()   the same, as a log line, from a part that needs none of the three
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import app
from console.core import clock
from console.events.models import JobRun

log = logging.getLogger(__name__)

# The scheduler starts it every minute, and nothing else does.
TICK = "events.tick"
_SILENT = timedelta(minutes=3)


def tick() -> None:
    """Do nothing. That the job ran is recorded."""


def last_tick() -> datetime | None:
    """Return when a worker last ran the scheduler's job."""
    return JobRun.objects.filter(name=TICK).values_list("ended_at", flat=True).first()


def broker_queue() -> int | None:
    """Return how many tasks wait in the broker, or None if it does not answer."""
    with suppress(BrokerSilent, OSError), app.connection_for_read() as link:
        link.ensure_connection(max_retries=1, timeout=1)
        channel: Any = link.default_channel
        waiting: int = channel.client.llen(app.conf.task_default_queue)
        return waiting
    return None


def concerns() -> list[str]:
    """Return what keeps jobs from running; nothing before the first run."""
    last = last_tick()
    if last is None or last > clock.now() - _SILENT:
        return []
    waiting = broker_queue()
    if waiting is None:
        said = _("No job has run since %(ago)s: the broker does not answer.")
    elif waiting:
        said = _("No job has run since %(ago)s: no worker takes them. Start the part `worker`.")
    else:
        said = _("No job has run since %(ago)s: none is started. Start the part `beat`.")
    return [said % {"ago": clock.iso(last)}]


def log_silence() -> None:
    """Log why no jobs run."""
    for sentence in concerns():
        log.error("background_silent", extra={"why": sentence})
