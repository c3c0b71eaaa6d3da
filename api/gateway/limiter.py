"""Rate limits that are exact over all processes: GCRA in PostgreSQL, fetched in small leases.

A process fetches a few tokens at once and spends them within a second; those that it does not
spend are lost, so the limit is never passed. Who is fast finds the next lease fetched ahead, by a
thread of the limiter's own.
"""

import logging
import threading
import time
from queue import SimpleQueue

import psycopg

from api.gateway.database import Database
from api.gateway.rate_limits import LimitState, Policy
from api.gateway.waiting import WouldWait
from console.core import gcra

_TAKE = gcra.take_sql(
    "gateway_bucket", gcra.DATABASE_CLOCK, name="$1", asked="$2", burst="$3", cost="$4"
)
_LOOK = gcra.ahead_sql("gateway_bucket", gcra.DATABASE_CLOCK, name="$1")
# The limit is per second, so a lease older than that is no longer ours to spend.
_LEASE_SECONDS = 1.0
# Half of a lease went within this time: the rest will not last long, and the next will be spent.
_FAST_SECONDS = 0.25
_MOST_BUCKETS = 50_000

log = logging.getLogger(__name__)


class LeasedBucket:
    """This process's share of one bucket."""

    __slots__ = ("arrives", "lock", "next_tokens", "next_until", "shut_until", "tokens", "until")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.tokens = 0
        self.until = 0.0
        # The lease that was fetched ahead.
        self.next_tokens = 0
        self.next_until = 0.0
        self.arrives = 0.0
        self.shut_until = 0.0

    def spend(self, now: float) -> bool:
        """Spend a token of the lease, if it still holds one."""
        if self.tokens <= 0 or now >= self.until:
            if self.next_tokens <= 0 or now >= self.next_until:
                return False
            self.tokens, self.until = self.next_tokens, self.next_until
            self.next_tokens = 0
        self.tokens -= 1
        return True

    def is_young(self, now: float) -> bool:
        """Tell whether the lease was begun a moment ago."""
        return now < self.until - _LEASE_SECONDS + _FAST_SECONDS

    def state(self, policy: Policy, now: float, *, admitted: bool) -> LimitState:
        if not admitted:
            return LimitState(policy, admitted, 0, max(0.0, self.shut_until - now))
        left = int(gcra.room(self.arrives - now, policy.burst, policy.cost))
        if now < self.until:
            left += self.tokens
        return LimitState(policy, admitted, max(0, min(int(policy.rate), left)), 0.0)


class Limiter:
    """Takes tokens from named buckets."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._buckets: dict[str, LeasedBucket] = {}
        self._fast: SimpleQueue[tuple[LeasedBucket, str, Policy] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to fetch ahead. Never before a fork."""
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._fast.put(None)
            self._thread.join(timeout=5)
            self._thread = None

    def take(
        self, name: str, policy: Policy, *, exact: bool = False, may_wait: bool = True
    ) -> LimitState:
        """Take one token. `exact` fetches just that one, for calls that move money.

        While the database does not answer, reads are limited by this process alone, and exact
        calls fail with the database's error: better no payment than an uncounted one.
        """
        bucket = self._bucket(name)
        # Whoever fetches holds the lock meanwhile.
        if not bucket.lock.acquire(blocking=may_wait):
            raise WouldWait
        try:
            now = time.monotonic()
            if now < bucket.shut_until:
                return bucket.state(policy, now, admitted=False)
            if not exact and bucket.spend(now):
                if bucket.tokens == policy.half_lease and bucket.is_young(now) and self._thread:
                    self._fast.put((bucket, name, policy))
                return bucket.state(policy, now, admitted=True)
            if not may_wait:
                raise WouldWait
            return self._fetch(bucket, name, policy, exact=exact)
        finally:
            bucket.lock.release()

    def took(self, name: str, policy: Policy, ahead: float) -> LimitState:
        """Return how a bucket stands of which somebody has taken a token, exactly."""
        bucket, now = self._bucket(name), time.monotonic()
        bucket.arrives = now + ahead
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
        bucket = self._buckets.get(name)
        if bucket is None:
            return policy.untouched
        now = time.monotonic()
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
        if not exact:
            bucket.tokens, bucket.until = int(granted[0]) - 1, now + _LEASE_SECONDS
        return bucket.state(policy, now, admitted=True)

    def _run(self) -> None:
        while (fast := self._fast.get()) is not None:
            try:
                self._fetch_ahead(*fast)
            except psycopg.Error as error:
                # Whoever needs the next lease asks for it, and is told.
                log.warning("lease_not_fetched_ahead", extra={"why": type(error).__name__})
                self._database.close()
        self._database.close()

    def _fetch_ahead(self, bucket: LeasedBucket, name: str, policy: Policy) -> None:
        asked = time.monotonic()
        for granted, ahead in self._database.rows(
            _TAKE, name, policy.lease, policy.burst, policy.cost
        ):
            with bucket.lock:
                bucket.next_tokens, bucket.next_until = granted, asked + _LEASE_SECONDS
                bucket.arrives = time.monotonic() + ahead


def _alone(bucket: LeasedBucket, policy: Policy) -> tuple[float, ...]:
    """Grant one token by this process's own count, at half the rate."""
    now = time.monotonic()
    ahead = max(0.0, bucket.arrives - now)
    if gcra.wait(ahead, policy.burst, policy.cost) > 0:
        return (ahead,)
    return 1, ahead + 2 * policy.cost
