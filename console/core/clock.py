"""The clock: the only module that reads the current time."""

import time
from datetime import UTC, datetime, timedelta

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.db import connection
from django.utils import timezone

# Not by Django, whose settings some processes do not load.
_LOADED, _COUNTED = datetime.now(UTC), time.monotonic()


def now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return timezone.now()


def steady() -> datetime:
    """Return the time counted from when this process started, whatever the clock was set to since.

    For waiting: after a clock was set back by an hour, others would wait an hour longer.
    """
    return _LOADED + timedelta(seconds=time.monotonic() - _COUNTED)


def of_database() -> datetime:
    """Return the database's current time, which is the same for all processes and hosts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone() or (now(),)
    return moment


def iso(moment: datetime) -> str:
    """Format a time as RFC 3339 in UTC, to the second: `2026-11-21T08:00:00Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(moment: datetime) -> str:
    """Return how long ago that was, in the largest unit that fits: `42 seconds ago`."""
    return str(naturaltime(moment)).replace("\N{NO-BREAK SPACE}", " ")
