"""Counters of visitors' failed requests, per network, page, outcome and minute.

An attacker with many networks (an IPv6 /48 has 65,536) cannot create unlimited rows: once a process
has used `_MOST_ROWS` rows within a minute, further networks share a row without a network.
"""

import threading
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Sum

from console.audit.models import CountedAttempt
from console.core import clock

# One statement, so that concurrent requests neither block for long nor lose a count.
_COUNT = """
INSERT INTO audit_counted_attempt AS held
    (minute, network, page, status, refusal, request_id, count)
VALUES (%s, %s, %s, %s, %s, %s, 1)
ON CONFLICT (minute, network, page, status, refusal) DO UPDATE SET count = held.count + 1
"""
DAY = timedelta(days=1)
_MOST_ROWS = 2000

CountedRow = tuple[str | None, str, int, str]


class _Rows:
    """The rows of this minute in which this process has counted."""

    def __init__(self) -> None:
        self._minute: datetime | None = None
        self._known: set[CountedRow] = set()
        self._changing = threading.Lock()

    def chosen(self, minute: datetime, row: CountedRow) -> CountedRow:
        """Return the row to count in: the network's own, or the shared one for all others."""
        with self._changing:
            if minute != self._minute:
                self._minute, self._known = minute, set()
            if row not in self._known:
                if len(self._known) >= _MOST_ROWS:
                    return (None, *row[1:])
                self._known.add(row)
            return row


_rows = _Rows()


def count(*, network: str, page: str, status: int, refusal: str, request_id: str) -> None:
    """Count one failed request. The first in a minute also stores its request id."""
    minute = clock.now().replace(second=0, microsecond=0)
    row = _rows.chosen(minute, (network or None, page[:80], status, refusal[:40]))
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [minute, *row, request_id])


def of_a_day() -> tuple[int, int]:
    """Return how many requests of visitors failed in the last day, and from how many networks."""
    rows = CountedAttempt.objects.filter(minute__gt=clock.now() - DAY)
    found = rows.aggregate(tries=Sum("count"), networks=Count("network", distinct=True))
    return found["tries"] or 0, found["networks"]


def remove(before: datetime, most: int) -> int:
    """Delete counters older than `before`, at most `most` rows. Return how many were deleted."""
    old = CountedAttempt.objects.filter(minute__lt=before).order_by("minute")
    removed, _ = CountedAttempt.objects.filter(pk__in=old.values("pk")[:most]).delete()
    return removed
