"""What visitors tried in vain: counted for each network, page, outcome and minute."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Sum

from console.audit.models import CountedAttempt
from console.core import clock

# In one statement, so that a flood neither waits for itself nor loses a count.
_COUNT = """
INSERT INTO audit_counted_attempt AS held
    (minute, network, page, status, refusal, request_id, count)
VALUES (%s, %s, %s, %s, %s, %s, 1)
ON CONFLICT (minute, network, page, status, refusal) DO UPDATE SET count = held.count + 1
"""
DAY = timedelta(days=1)


def count(*, network: str, page: str, status: int, refusal: str, request_id: str) -> None:
    """Count one more; the first of a minute leaves the number of its request."""
    minute = clock.now().replace(second=0, microsecond=0)
    given = [minute, network or None, page[:80], status, refusal[:40], request_id]
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, given)


def of_a_day() -> tuple[int, int]:
    """Return how often visitors tried in vain within a day, and from how many networks."""
    rows = CountedAttempt.objects.filter(minute__gt=clock.now() - DAY)
    found = rows.aggregate(tries=Sum("count"), networks=Count("network", distinct=True))
    return found["tries"] or 0, found["networks"]


def remove(before: datetime, most: int) -> int:
    """Remove what was counted before a moment, so many rows at most."""
    old = CountedAttempt.objects.filter(minute__lt=before).order_by("minute")
    removed, _ = CountedAttempt.objects.filter(pk__in=old.values("pk")[:most]).delete()
    return removed
