"""The request log: noted in memory, written in batches by one thread.

Noting costs a microsecond; the rows reach the table within a quarter of a second. The queue is
bounded: when the database is away for long, the newest rows are counted and dropped. Of calls for
which no key was proved, each address has a few rows a minute, and all together have a bound; the
others are only counted, so that a flood fills no table and costs no proved key a row.
"""

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Collection
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import psycopg

from api.gateway.calls import Call
from api.gateway.database import Database
from api.gateway.operations import TEST_HELPERS
from api.gateway.usage import UsageCounter
from apikeys.going_live import first_calls
from apikeys.keys import last_used
from console.core import addresses, day_partitions

log = logging.getLogger(__name__)

_COPY = """
COPY apikeys_requestlog
    (at, request_id, business_id, key_id, environment, method, path, status, code, ip, version,
     agent, microseconds)
FROM STDIN WITH (NULL E'\\x01')
"""
# What no text of a row can be: `shown` lets nothing through that cannot be printed.
_NULL = "\x01"
_EVERY_SECONDS = 0.25
_USES_EVERY_SECONDS = 10.0
_MOST_WAITING = 20_000
_MOST_KNOWN = 100_000
# As many as an address may fail before its key is no longer looked at.
_MOST_UNPROVED = 30
# Of all addresses together: whoever has many fills no table either.
_MOST_UNPROVED_OF_ALL = 3000
_SETTLE = day_partitions.SETTLE.replace("%s", "$1", 1).replace("%s", "$2::date", 1)
_UNSEEN = re.compile(r"[^\x20-\x7e]")
_SECRET = re.compile(r"[0-9A-Za-z]{20,}")


class RequestLogWriter:
    """Collects one row a request, and writes them from a thread of its own."""

    def __init__(self, database: Database, words: Collection[str] = ()) -> None:
        """`words` are the segments of paths that are kept where no operation answers."""
        self._database = database
        self._words = words
        self._waiting: deque[tuple[Any, ...]] = deque()
        self._uses: dict[tuple[int, str], last_used.Use] = {}
        # Of which business and product the first sandbox call is known to stand in its table.
        self._first_calls: set[tuple[int, str]] = set()
        self._usage = UsageCounter()
        self._wake = threading.Event()
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None
        self.dropped = 0
        # How many rows of calls without a proved key each address has in a minute, and all
        # together; and how many calls have none.
        self._minute, self._unproved = 0, dict[str, int]()
        self._kept_unproved = 0
        self.unkept = 0

    def start(self) -> None:
        self._wake.clear()
        self._thread = threading.Thread(target=self._run, name="request-log", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, and end the thread."""
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def note(self, call: Call, status: int, code: str) -> None:
        """Remember one answered request. Called by every request, so it does next to nothing."""
        if len(self._waiting) >= _MOST_WAITING:
            self.dropped += 1
            return
        record = getattr(call, "record", None)
        operation = getattr(call, "operation", None)
        now = time.time()
        if record is None and self._has_enough(getattr(call, "ip", ""), now):
            self.unkept += 1
            return
        self._waiting.append(
            (
                now,
                call.request_id,
                record.business_pk if record else None,
                record.key_id if record else "",
                getattr(call, "environment", ""),
                call.method if operation else shown(call.method, 10),
                operation.path if operation else self._known_part(getattr(call, "path", "")),
                status,
                code,
                getattr(call, "ip", None) or None,
                getattr(call, "version", ""),
                shown(call.environ.get("HTTP_USER_AGENT", ""), 120),
                int((now - call.began) * 1_000_000),
                operation.name if operation else "",
                record.key_pk if record else None,
                operation.product if operation and status < 400 else "",
            )
        )

    def _known_part(self, path: str) -> str:
        """Return a path that no operation answers without what nobody but its sender knows."""
        return "/".join(part if part in self._words else "…" for part in path[:200].split("/"))

    def _has_enough(self, ip: str, now: float) -> bool:
        """Tell whether an address, or all together, have had their rows of this minute."""
        minute = int(now) // 60
        if minute != self._minute:
            self._minute, self._unproved, self._kept_unproved = minute, {}, 0
        if self._kept_unproved >= _MOST_UNPROVED_OF_ALL:
            return True
        whose = addresses.network_of(ip)
        count = self._unproved.get(whose, 0)
        if count >= _MOST_UNPROVED:
            return True
        self._unproved[whose] = count + 1
        self._kept_unproved += 1
        return False

    def flush(self) -> None:
        """Write everything that waits, now."""
        with self._writing:
            self._write_requests()
            self._usage.write(self._database)
            self._write_uses()

    def _run(self) -> None:
        uses_due = time.monotonic() + _USES_EVERY_SECONDS
        while not self._wake.wait(_EVERY_SECONDS):
            try:
                with self._writing:
                    self._write_requests()
                    self._usage.write(self._database)
                    if time.monotonic() >= uses_due:
                        uses_due = time.monotonic() + _USES_EVERY_SECONDS
                        self._write_uses()
                        self._tell_unkept()
            except psycopg.Error as error:
                log.warning("request_log_waits", extra={"why": type(error).__name__})
                self._database.close()
        self._end()

    def _end(self) -> None:
        try:
            self.flush()
        except psycopg.Error:
            log.warning("request_log_lost", extra={"rows": len(self._waiting)})
        self._database.close()

    def _write_requests(self) -> None:
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if not batch:
            return
        try:
            self._copy(batch)
        except psycopg.OperationalError:
            self._waiting.extendleft(reversed(batch))
            raise
        except psycopg.Error:
            # A row that can never be written must not hold up those that can.
            self.dropped += len(batch)
            log.exception("request_log_refused", extra={"rows": len(batch)})
            return
        proven = [noted for noted in batch if noted[-2] is not None]
        # Of all calls of a key to a product, the last.
        for noted in {noted[-2:]: noted for noted in proven}.values():
            key_pk, product = noted[-2:]
            self._uses[key_pk, product] = last_used.Use(key_pk, product, noted[0], noted[9] or "")
        for noted in proven:
            self._usage.count(noted[2], noted[4], noted[-3], noted[0], is_error=noted[7] >= 400)
        self._write_first_calls(proven)

    def _write_first_calls(self, batch: list[tuple[Any, ...]]) -> None:
        """Keep the first call of each product that succeeded in a sandbox, as soon as it is logged.

        What its table holds is asked for once in the life of this process.
        """
        known, found = self._first_calls, dict[tuple[int, str], first_calls.SandboxCall]()
        for noted in batch:
            place = (noted[2], noted[-1])
            if place in known or not noted[-1] or noted[4] != "sandbox":
                continue
            if not noted[6].startswith(TEST_HELPERS):
                call = first_calls.SandboxCall(*place, noted[1], noted[-3], noted[0])
                found.setdefault(place, call)
        if found:
            statement, values = first_calls.noting(list(found.values()))
            self._database.rows(statement, *values)
            if len(known) > _MOST_KNOWN:
                known.clear()
            known.update(found)

    def _copy(self, batch: list[tuple[Any, ...]]) -> None:
        """Write the rows; where the table has no partition for their day yet, make it first."""
        rows = "".join(map(_line, batch))
        try:
            self._database.copy(_COPY, rows)
        except psycopg.errors.CheckViolation:
            for day in sorted({_second(int(noted[0]))[:10] for noted in batch}):
                self._database.rows(_SETTLE, "apikeys_requestlog", day)
            self._database.copy(_COPY, rows)

    def _tell_unkept(self) -> None:
        if self.unkept:
            unkept, self.unkept = self.unkept, 0
            log.warning("request_log_flooded", extra={"unkept": unkept})

    def _write_uses(self) -> None:
        if self._uses:
            for statement, values in last_used.noting(list(self._uses.values())):
                self._database.rows(statement, *values)
            self._uses.clear()


def _line(noted: tuple[Any, ...]) -> str:
    """Return one row as COPY reads it. A driver that adapts each value costs four times as much."""
    at, *values, _, _, _ = noted
    moment = f"{_second(int(at))}.{int(at % 1 * 1_000_000):06}+00"
    texts = [value if type(value) is str else _NULL if value is None else str(value)
             for value in values]  # fmt: skip
    return "\t".join([moment, *texts]).replace("\\", "\\\\") + "\n"


@lru_cache(maxsize=64)
def _second(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


@lru_cache(maxsize=2048)
def shown(text: str, most: int) -> str:
    """Return text from outside as it may stand in the log: printable, short, without a secret."""
    return _SECRET.sub("[hidden]", _UNSEEN.sub("?", text))[:most]
