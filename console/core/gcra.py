"""Rate limiting with GCRA: exact at any concurrency, one database row for each bucket.

A full bucket has `burst` tokens, and a token that was taken comes back after `cost` seconds. A row
stores only when the bucket will be full again (its theoretical arrival time), in seconds since
1970. `ahead` is that time minus now, in seconds. A missing row is a full bucket.

    GcraBucket              the columns of a table of buckets
    take_sql(table, now)    -> a statement that takes as many of the requested tokens as fit
    room(ahead, ...)        -> how many tokens are left, as a fraction
    wait(ahead, ...)        -> seconds until a token is available; zero or less if one is now
"""

from django.db import models

DATABASE_CLOCK = "extract(epoch FROM clock_timestamp())::float8"

# The insert grants everything that was asked for. The update grants as much as fits, under its row
# lock. Both use the same moment: the update derives it from the row proposed for insertion.
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
    """How much of a limit is used. `granted` is what the last statement took."""

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
    """Return the SQL statement; the arguments are the driver's placeholders.

    The statement returns `granted` and how far `ahead` the bucket then is. It returns no row if the
    bucket is empty or `only_if` is false.
    """
    given = {"name": name, "asked": asked, "burst": burst, "cost": cost, "only_if": only_if}
    return _TAKE.format(table=table, now=now, **given)


def room(ahead: float, burst: int, cost: float) -> float:
    return burst - ahead / cost if ahead > 0 else burst


def wait(ahead: float, burst: int, cost: float) -> float:
    return ahead - (burst - 1) * cost
