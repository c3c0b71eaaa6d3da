"""The one place that reads the time."""

from datetime import UTC, datetime

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import timezone


def now() -> datetime:
    """Return this moment, aware, in UTC."""
    return timezone.now()


def iso(moment: datetime) -> str:
    """Write a moment as RFC 3339 in UTC, to the second: `2026-11-21T08:00:00Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(moment: datetime) -> str:
    """Say how long ago that was, in the largest unit that fits: `42 seconds ago`."""
    return str(naturaltime(moment)).replace("\N{NO-BREAK SPACE}", " ")
