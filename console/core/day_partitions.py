"""Tables that are kept by days: each day is a partition, made before it begins, dropped when old.

The site's role owns no table. One function of the owner, `console_day_partition`, takes the name of
such a table and a day: it makes the day's partition, or drops it once it is older than the comment
on the table says. So the site can neither drop what is still kept nor make anything else.
"""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from django.db import IntegrityError, connection, transaction

from console.core import clock

AHEAD = 7
SETTLE = "SELECT console_day_partition(%s, %s)"
# Where there is one, it takes the rows of days that have no partition yet.
_DEFAULT = "default"
_PARTITIONS = """
SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)
"""


def keep(table: str, *, days: int) -> None:
    """Make the days that are coming, and drop those that are older than `days`. Twice is once.

    A day whose rows already lie in the default partition is not made any more: they stay there.
    """
    today = clock.now().astimezone(UTC).date()
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
