"""Rate limits that are exact over all processes: GCRA in PostgreSQL, fetched in small leases.

A process fetches a few tokens at once and spends them within a second; those that it does not
spend are lost, so the limit is never passed.
"""

import threading
import time
from typing import NamedTuple

import psycopg

from api.gateway.database import Database
from api.gateway.rate_limits import ConcurrencyPolicy, Policy
from console.core import gcra

_TAKE = gcra.take_sql(
    "gateway_bucket", gcra.DATABASE_CLOCK, name="$1", asked="$2", burst="$3", cost="$4"
)
_LOOK = gcra.ahead_sql("gateway_bucket", gcra.DATABASE_CLOCK, name="$1")
# The limit is per second, so a lease older than that is no longer ours to spend.
_LEASE_SECONDS = 1.0
_MOST_BUCKETS = 50_000


class LimitState(NamedTuple):
    """How a bucket stands: whether it admits, what is left, and the seconds to wait."""

    policy: Policy | ConcurrencyPolicy
    admitted: bool
    remaining: int
    wait: float


class LeasedBucket:
    """This process's share of one bucket."""

    __slots__ = ("arrives", "lock", "shut_until", "tokens", "until")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.tokens = 0
        self.until = 0.0
        self.arrives = 0.0
        self.shut_until = 0.0

    def spend(self, now: float) -> bool:
        """Spend a token of the lease, if it still holds one."""
        if self.tokens <= 0 or now >= self.until:
            return False
        self.tokens -= 1
        return True

    def state(self, policy: Policy, now: float, *, admitted: bool) -> LimitState:
        if not admitted:
            return LimitState(policy, admitted, 0, max(0.0, self.shut_until - now))
        room = gcra.room(self.arrives - now, policy.burst, policy.cost)
        held = self.tokens if now < self.until else 0
        return LimitState(policy, admitted, max(0, min(int(policy.rate), int(room) + held)), 0.0)


class Limiter:
    """Takes tokens from named buckets."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._buckets: dict[str, LeasedBucket] = {}

    def take(self, name: str, policy: Policy, *, exact: bool = False) -> LimitState:
        """Take one token. `exact` fetches just that one, for calls that move money.

        While the database does not answer, reads are limited by this process alone, and exact
        calls fail with the database's error: better no payment than an uncounted one.
        """
        bucket = self._bucket(name)
        with bucket.lock:
            now = time.monotonic()
            if now < bucket.shut_until:
                return bucket.state(policy, now, admitted=False)
            if exact or not bucket.spend(now):
                return self._fetch(bucket, name, policy, exact=exact)
            return bucket.state(policy, now, admitted=True)

    def shut(self, name: str, policy: Policy) -> LimitState | None:
        """Return how a bucket stands when this process knows it to be empty. Asks nobody."""
        bucket = self._buckets.get(name)
        now = time.monotonic()
        if bucket is None or now >= bucket.shut_until:
            return None
        return bucket.state(policy, now, admitted=False)

    def known(self, name: str, policy: Policy) -> LimitState:
        """Return how a bucket stands as this process last knew it. Asks nobody, takes nothing."""
        bucket, now = self._buckets.get(name), time.monotonic()
        if bucket is None:
            return LimitState(policy, admitted=True, remaining=int(policy.rate), wait=0.0)
        return bucket.state(policy, now, admitted=now >= bucket.shut_until)

    def _bucket(self, name: str) -> LeasedBucket:
        bucket = self._buckets.get(name)
        if bucket is not None:
            return bucket
        if len(self._buckets) > _MOST_BUCKETS:
            # Unspent leases are lost, which only makes the limit stricter for a moment.
            self._buckets.clear()
        return self._buckets.setdefault(name, LeasedBucket())

    def _fetch(self, bucket: LeasedBucket, name: str, policy: Policy, *, exact: bool) -> LimitState:
        asked = 1 if exact else policy.lease
        try:
            take = (name, asked, policy.burst, policy.cost)
            rows = self._database.rows(_TAKE, *take) or self._database.rows(_LOOK, name)
        except psycopg.Error:
            if exact:
                raise
            rows = [_alone(bucket, policy)]
        now = time.monotonic()
        *granted, ahead = rows[0] if rows else (0.0,)
        bucket.arrives = now + ahead
        if not granted:
            bucket.shut_until = now + gcra.wait(ahead, policy.burst, policy.cost)
            return bucket.state(policy, now, admitted=False)
        bucket.tokens = granted[0] - 1
        bucket.until = now + _LEASE_SECONDS
        return bucket.state(policy, now, admitted=True)


def _alone(bucket: LeasedBucket, policy: Policy) -> tuple[float, ...]:
    """Grant one token by this process's own count, at half the rate."""
    now = time.monotonic()
    ahead = max(0.0, bucket.arrives - now)
    if gcra.wait(ahead, policy.burst, policy.cost) > 0:
        return (ahead,)
    return 1, ahead + 2 * policy.cost
