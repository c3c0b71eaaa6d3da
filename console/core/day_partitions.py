"""Daily partitions: each day's partition is created before the day begins and dropped when old.

The site's role owns no tables. It calls `console_day_partition`, a function of the owner's, with
the name of such a table and a day. The function creates the day's partition, or drops it once it is
older than the comment on the table says. The site can therefore neither drop data early nor create
anything else.
"""

from contextlib import suppress
from datetime import date, datetime, timedelta

from django.db import IntegrityError, connection, transaction

from console.core import clock

AHEAD = 7
SETTLE = "SELECT console_day_partition(%s, %s)"
# The default partition, where there is one, takes rows for days that have no partition yet.
_DEFAULT = "default"
_PARTITIONS = """
SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)
"""


def keep(table: str, *, days: int) -> None:
    """Create partitions for the coming days and drop those older than `days`. Idempotent.

    Skip a day that already has rows in the default partition: they stay there.
    """
    today = clock.now().date()
    there = partitions(table)
    coming = {today + timedelta(days=ahead) for ahead in range(AHEAD + 1)}
    old = {day for day in there if day < today - timedelta(days=days)}
    for day in sorted((coming - there) | old):
        with suppress(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(SETTLE, [table, day])


def partitions(table: str) -> set[date]:
    """Return the days that a table has a partition for."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS, [table])
        ends = [name.rpartition("_")[2] for (name,) in cursor.fetchall()]
    return {datetime.strptime(end, "%Y%m%d").date() for end in ends if end != _DEFAULT}  # noqa: DTZ007
