"""Daily counts of each business's calls and refusals, taken from the request log.

The request log's thread writes them in bulk, never a request.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection

_CALLS = """
INSERT INTO api_usagecount AS held
    (business_id, environment, operation, day, calls, errors, created_at)
SELECT business, environment, operation, date '1970-01-01' + day, calls, errors, to_timestamp(first)
FROM unnest(
    %s::bigint[], %s::text[], %s::text[], %s::int[], %s::bigint[], %s::bigint[], %s::float8[]
) AS counted (business, environment, operation, day, calls, errors, first)
WHERE EXISTS (SELECT FROM accounts_business WHERE id = business)
-- In one order, so that two processes never wait for each other.
ORDER BY business, environment, operation, day
ON CONFLICT (business_id, environment, operation, day) DO UPDATE
SET calls = held.calls + EXCLUDED.calls, errors = held.errors + EXCLUDED.errors
"""
_REFUSALS = """
INSERT INTO api_refusalcount AS held (business_id, environment, operation, day, code, calls)
SELECT business, environment, operation, date '1970-01-01' + day, code, calls
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::int[], %s::text[], %s::bigint[])
    AS counted (business, environment, operation, day, code, calls)
WHERE EXISTS (SELECT FROM accounts_business WHERE id = business)
ORDER BY business, environment, day, operation, code
ON CONFLICT (business_id, environment, day, operation, code) DO UPDATE
SET calls = held.calls + EXCLUDED.calls
"""

_DAY_SECONDS = 24 * 60 * 60


class UsageCounter:
    """Counts calls until they are written. Not thread-safe."""

    def __init__(self) -> None:
        # Number of calls, errors among them, and the time of the first.
        self._calls: dict[tuple[int, str, str, int], tuple[int, int, float]] = {}
        self._refusals: Counter[tuple[int, str, str, int, str]] = Counter()

    def count(self, business: int, environment: str, operation: str, at: float, code: str) -> None:
        """Count an answered call of a proved key; `at` is in seconds since 1970.

        `code` is the error code, or "" if the call succeeded.
        """
        which = (business, environment, operation, int(at) // _DAY_SECONDS)
        calls, errors, first = self._calls.get(which, (0, 0, at))
        self._calls[which] = (calls + 1, errors + bool(code), min(first, at))
        if code:
            self._refusals[*which, code] += 1

    def write(self) -> None:
        """Add the counts to the daily rows. Those that could not be written are kept."""
        if self._calls:
            _add(_CALLS, [(*which, *counts) for which, counts in self._calls.items()])
            self._calls.clear()
        if self._refusals:
            _add(_REFUSALS, [(*which, calls) for which, calls in self._refusals.items()])
            self._refusals.clear()


def _add(statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(_columns(rows)))


def _columns(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[Any]]:
    return (list(column) for column in zip(*rows, strict=True))
