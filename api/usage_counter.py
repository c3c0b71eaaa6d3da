"""Daily call counts of each business and operation, taken from the request log.

The request log's thread writes them in bulk, never a request.
"""

from collections.abc import Iterator
from typing import Any

from django.db import connection

_COUNT = """
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

_DAY_SECONDS = 24 * 60 * 60


class UsageCounter:
    """Counts calls until they are written. Not thread-safe."""

    def __init__(self) -> None:
        # Number of calls, errors among them, and the time of the first.
        self._counted: dict[tuple[int, str, str, int], tuple[int, int, float]] = {}

    def count(
        self, business: int, environment: str, operation: str, at: float, *, is_error: bool
    ) -> None:
        """Count an answered call of a proved key; `at` is in seconds since 1970."""
        which = (business, environment, operation, int(at) // _DAY_SECONDS)
        calls, errors, first = self._counted.get(which, (0, 0, at))
        self._counted[which] = (calls + 1, errors + is_error, min(first, at))

    def write(self) -> None:
        """Add the counts to the daily rows. If that fails, they are kept."""
        if self._counted:
            with connection.cursor() as cursor:
                cursor.execute(_COUNT, list(self._columns()))
            self._counted.clear()

    def _columns(self) -> Iterator[list[Any]]:
        rows = [(*which, *counts) for which, counts in self._counted.items()]
        return (list(column) for column in zip(*rows, strict=True))
