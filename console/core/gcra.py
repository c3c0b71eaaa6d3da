"""GCRA, in one place: limits that are exact at any concurrency, and cost one row each.

A full bucket holds `burst` tokens, and a token that was taken comes back after `cost` seconds. All
that is kept is when the bucket will be full again, its theoretical arrival time, in seconds since
1970; `ahead` is how many seconds from now that is. An absent row is a full bucket.

    GcraBucket              the columns of a table of buckets
    take_sql(table, now)    -> one statement that takes as many of the asked tokens as there are
    room(ahead, ...)        -> how many tokens it holds, as a fraction
    wait(ahead, ...)        -> seconds until it holds one; zero or less where it does
"""

from django.db import models

DATABASE_CLOCK = "extract(epoch FROM clock_timestamp())::float8"

# The insert grants all that was asked; the update grants as much of it as fits, under the lock of
# its row. Both see one moment: the update works out which the insert took.
_TAKE = """
INSERT INTO {table} AS bucket (name, arrives, granted)
SELECT {name}, {now} + {asked}::int * {cost}::float8, {asked}::int WHERE {only_if}
ON CONFLICT (name) DO UPDATE SET (arrives, granted) = (
    SELECT greatest(bucket.arrives, now) + fits * {cost}::float8, fits
    FROM (SELECT EXCLUDED.arrives - {asked}::int * {cost}::float8 AS now) AS moment,
    LATERAL (
        SELECT least(
            {asked}::int,
            floor({burst}::int - greatest(bucket.arrives - now, 0) / {cost}::float8 + 1e-6)
        )::int AS fits
    ) AS room
)
WHERE bucket.arrives - (EXCLUDED.arrives - {asked}::int * {cost}::float8)
    <= ({burst}::int - 1 + 1e-6) * {cost}::float8
RETURNING granted, arrives - {now} AS ahead
"""


class GcraBucket(models.Model):
    """How much of a limit is used; `granted` is what the last statement took."""

    name = models.CharField(max_length=120, primary_key=True)
    arrives = models.FloatField()
    granted = models.IntegerField(default=0)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


def take_sql(
    table: str, now: str, *, name: str, asked: str, burst: str, cost: str, only_if: str = "true"
) -> str:
    """Return the statement, with a driver's own placeholders.

    It returns what was `granted` and how far `ahead` the bucket then is; no row where it is empty,
    or where a condition does not hold.
    """
    given = {"name": name, "asked": asked, "burst": burst, "cost": cost, "only_if": only_if}
    return _TAKE.format(table=table, now=now, **given)


def room(ahead: float, burst: int, cost: float) -> float:
    return burst - ahead / cost if ahead > 0 else burst


def wait(ahead: float, burst: int, cost: float) -> float:
    return ahead - (burst - 1) * cost
