"""How many calls of a business are in flight: over all processes, and never above its limit.

A process takes a few places of a business's limit and lets calls in on them without asking anybody;
what it takes is a share in the database, which counts while the process says that it lives. Places
that nobody uses are given back: after a while, and at once when another process is out of them.
"""

import logging
import secrets
import threading
import time
from collections import deque

import psycopg

from api.gateway.database import Database
from api.gateway.rate_limits import ConcurrencyPolicy
from api.gateway.waiting import WouldWait
from console.core import gcra

log = logging.getLogger(__name__)

# Another process needs places of the bucket that this notice names.
CHANNEL = "calls_in_flight"

# A process that was killed is believed to live for no longer than this.
_LIFE_SECONDS = 20.0
# A process trusts its own life for so much less, and says so often that a slow moment costs none.
_MARGIN_SECONDS = 4.0
_PULSE_SECONDS = 2.0
_PULSES_UNTIL_IDLE = 5
# A call waits so often, so long, for places that others give back; then it is full for a while.
_WAITS, _WAIT_SECONDS, _FULL_SECONDS = 10, 0.025, 0.1

# A share is dropped where its process is known to be dead. One that this statement's snapshot does
# not know yet is counted: its row was committed before it took a place.
_TAKE = f"""
INSERT INTO gateway_concurrencybucket AS bucket (name, shares, granted, at)
VALUES ($1, jsonb_build_object($2::text, least($3::int, $4::int)), least($3::int, $4::int),
        {gcra.DATABASE_CLOCK})
ON CONFLICT (name) DO UPDATE SET (shares, granted, at) = (
    SELECT others || jsonb_build_object($2::text, own + fits), fits, EXCLUDED.at
    FROM (
        SELECT coalesce(jsonb_object_agg(id, places) FILTER (WHERE id <> $2::text), '{{}}')
                   AS others,
               coalesce(sum(places) FILTER (WHERE id = $2::text), 0)::int AS own,
               coalesce(sum(places), 0)::int AS taken
        FROM (
            SELECT share.key AS id, share.value::int AS places
            FROM jsonb_each_text(bucket.shares) AS share
            WHERE share.key = $2::text OR NOT EXISTS (
                SELECT FROM gateway_gatewayprocess AS process
                WHERE process.id = share.key AND process.alive_until <= EXCLUDED.at
            )
        ) AS counting
    ) AS counted,
    LATERAL (SELECT greatest(0, least($3::int, $4::int - taken)) AS fits) AS room
)
RETURNING granted
"""  # noqa: S608  # only names of our own
# In the order of the names, so that two processes that give back wait for each other in one line.
_GIVE_BACK = """
WITH given AS (SELECT * FROM unnest($2::text[], $3::int[]) AS given (name, places)),
locked AS (
    SELECT name FROM gateway_concurrencybucket
    WHERE name = ANY ($2::text[]) ORDER BY name FOR UPDATE
)
UPDATE gateway_concurrencybucket AS bucket
SET shares = bucket.shares || jsonb_build_object(
    $1::text, greatest(0, (bucket.shares ->> $1::text)::int - given.places)
)
FROM given, locked
WHERE bucket.name = given.name AND locked.name = given.name AND bucket.shares ? $1::text
"""
_REGISTER = f"""
INSERT INTO gateway_gatewayprocess (id, alive_until)
VALUES ($1, {gcra.DATABASE_CLOCK} + $2::float8)
"""  # noqa: S608
_LIVE_ON = f"""
UPDATE gateway_gatewayprocess SET alive_until = {gcra.DATABASE_CLOCK} + $2::float8
WHERE id = $1 AND alive_until > {gcra.DATABASE_CLOCK} RETURNING id
"""  # noqa: S608
_DIE = "UPDATE gateway_gatewayprocess SET alive_until = 0 WHERE id = $1"
_ASK_OTHERS = f"SELECT pg_notify('{CHANNEL}', $1)"


class CallShare:
    """This process's places in one bucket, and the calls that are on them."""

    __slots__ = ("_peak", "asking", "full_until", "held", "in_use", "is_closed", "lock", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.asking = threading.Lock()
        self.held = 0
        self.in_use = 0
        self.full_until = 0.0
        self.is_closed = False
        self._peak = 0

    def enter(self, *, at_least: int = 0) -> bool:
        """Take a free place, if there is one."""
        with self.lock:
            if self.in_use >= self.held and self.in_use >= at_least:
                return False
            self.in_use += 1
            self._peak = max(self._peak, self.in_use)
            return True

    def leave(self) -> None:
        """Free the place of a call that is answered."""
        with self.lock:
            self.in_use -= 1

    def take_back(self, *, at_once: bool) -> int:
        """Return how many places are given up: those not used lately, or not used now."""
        with self.lock:
            needed = self.in_use if at_once else self._peak
            surplus = max(0, self.held - needed)
            self.held -= surplus
            if not at_once:
                self._peak = self.in_use
            return surplus

    def close(self) -> bool:
        """End a share that holds nothing. Whoever still has it opens another."""
        with self.lock:
            self.is_closed = self.held == self.in_use == 0
        return self.is_closed


class ConcurrencyLimiter:
    """Lets calls in while there are places, and tells the database that this process lives."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shares: dict[str, CallShare] = {}
        self._process, self._alive_until = "", 0.0
        self._wanted: deque[str] = deque()
        self._wake, self._stopping = threading.Event(), False
        self._registering = threading.Lock()
        self._thread: threading.Thread | None = None

    def enter(
        self, name: str, policy: ConcurrencyPolicy, *, exact: bool, may_wait: bool = True
    ) -> CallShare | None:
        """Let a call in: its share, to leave once it is answered; None where it is full.

        Without the database this process alone lets in half of the limit, and no `exact` call.
        """
        share = self._shares.get(name)
        if share is not None and time.monotonic() < self._alive_until and share.enter():
            return share
        if not may_wait:
            raise WouldWait
        try:
            return self._ask(name, policy)
        except psycopg.Error:
            if exact:
                raise
            share = self._shares.setdefault(name, CallShare(name))
            return share if share.enter(at_least=policy.most // 2) else None

    def in_use(self, name: str) -> int:
        """Return how many calls this process has let in and not answered."""
        share = self._shares.get(name)
        return share.in_use if share else 0

    def start(self) -> None:
        """Begin to say that this process lives. Never before a fork."""
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="calls-in-flight", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give everything back."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def give_back_soon(self, name: str) -> None:
        """Another process is out of places. Called by the listener, so it does nothing itself."""
        if name in self._shares:
            self._wanted.append(name)
            self._wake.set()

    def _ask(self, name: str, policy: ConcurrencyPolicy) -> CallShare | None:
        while True:
            share = self._shares.setdefault(name, CallShare(name))
            with share.asking:
                # One that was closed is in the table no longer.
                if not share.is_closed:
                    return share if self._find_place(share, policy) else None

    def _find_place(self, share: CallShare, policy: ConcurrencyPolicy) -> bool:
        if self._fetched_before(share):
            return True
        if time.monotonic() < share.full_until:
            return False
        self._fetch(share, policy)
        if share.enter():
            return True
        self._database.rows(_ASK_OTHERS, share.name)
        for _ in range(_WAITS):
            time.sleep(_WAIT_SECONDS)
            self._fetch(share, policy)
            if share.enter():
                return True
        share.full_until = time.monotonic() + _FULL_SECONDS
        return False

    def _fetched_before(self, share: CallShare) -> bool:
        # Somebody may have got or freed a place while this call waited for its turn.
        return time.monotonic() < self._alive_until and share.enter()

    def _fetch(self, share: CallShare, policy: ConcurrencyPolicy) -> None:
        """Take the place that is missing, and a few more where the limit is far."""
        process = self._register()
        missing = share.in_use + 1 - share.held + policy.spare
        rows = self._database.rows(_TAKE, share.name, process, missing, policy.most)
        with share.lock:
            # What a process got that has died in the meantime counts for nothing.
            if process == self._process:
                share.held += rows[0][0]

    def _register(self) -> str:
        """Return the name under which this process lives; a new one when it was thought dead."""
        with self._registering:
            if time.monotonic() < self._alive_until:
                return self._process
            began, name = time.monotonic(), secrets.token_hex(8)
            self._database.rows(_REGISTER, name, _LIFE_SECONDS)
            self._process = name
            for share in list(self._shares.values()):
                with share.lock:
                    share.held = 0
            self._alive_until = began + _LIFE_SECONDS - _MARGIN_SECONDS
            return name

    def _run(self) -> None:
        pulses, due = 0, time.monotonic() + _PULSE_SECONDS
        while not self._stopping:
            self._wake.wait(max(0.0, due - time.monotonic()))
            self._wake.clear()
            try:
                self._answer_others()
                if time.monotonic() >= due:
                    pulses, due = pulses + 1, time.monotonic() + _PULSE_SECONDS
                    self._live_on()
                    if pulses % _PULSES_UNTIL_IDLE == 0:
                        self._give_back_idle()
            except psycopg.Error as error:
                log.warning("calls_in_flight_unsaid", extra={"why": type(error).__name__})
                self._database.close()
        self._end()

    def _answer_others(self) -> None:
        """Give back what nobody uses now of the buckets that others are out of."""
        names = {self._wanted.popleft() for _ in range(len(self._wanted))}
        shares = [share for name in names if (share := self._shares.get(name))]
        self._give_back({share.name: share.take_back(at_once=True) for share in shares})

    def _give_back_idle(self) -> None:
        """Give back what nobody has used lately, and forget the buckets that are left empty."""
        shares = list(self._shares.values())
        self._give_back({share.name: share.take_back(at_once=False) for share in shares})
        for share in shares:
            if share.asking.acquire(blocking=False):
                if share.close():
                    self._shares.pop(share.name, None)
                share.asking.release()

    def _give_back(self, places: dict[str, int]) -> None:
        back = {name: number for name, number in places.items() if number}
        if not back:
            return
        try:
            self._database.rows(_GIVE_BACK, self._process, list(back), list(back.values()))
        except psycopg.Error:
            # What the database still counts as ours dies with this name.
            self._alive_until = 0.0
            raise

    def _live_on(self) -> None:
        if not self._process:
            return
        began = time.monotonic()
        lives = self._database.rows(_LIVE_ON, self._process, _LIFE_SECONDS)
        self._alive_until = began + _LIFE_SECONDS - _MARGIN_SECONDS if lives else 0.0

    def _end(self) -> None:
        try:
            if self._process:
                self._database.rows(_DIE, self._process)
        except psycopg.Error as error:
            log.warning("calls_in_flight_unsaid", extra={"why": type(error).__name__})
        self._alive_until = 0.0
        self._database.close()
