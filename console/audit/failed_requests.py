"""What visitors tried in vain: counted for each network, page, outcome and minute.

Whoever has many networks (an IPv6 /48 holds 65,536) makes no more rows for it: once a process has
counted in so many within a minute, further ones share a row without a network.
"""

import threading
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
_MOST_ROWS = 2000

CountedRow = tuple[str | None, str, int, str]


class _Rows:
    """The rows of this minute in which this process has counted."""

    def __init__(self) -> None:
        self._minute: datetime | None = None
        self._known: set[CountedRow] = set()
        self._changing = threading.Lock()

    def chosen(self, minute: datetime, row: CountedRow) -> CountedRow:
        """Return the row in which one is counted: its own, or the one of all other networks."""
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
    """Count one more; the first of a minute leaves the number of its request."""
    minute = clock.now().replace(second=0, microsecond=0)
    row = _rows.chosen(minute, (network or None, page[:80], status, refusal[:40]))
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [minute, *row, request_id])


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
