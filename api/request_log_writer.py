"""Request log writer: collects one row per request in memory and writes them in bulk.

A thread writes every quarter of a second; a killed process loses at most that much. The queue is
bounded: during a long database outage, new rows are counted and dropped. Requests without a proved
key get a few rows per minute and address, with a limit for all addresses together. Others are only
counted, so that a flood cannot fill the table.
"""

import atexit
import logging
import re
import threading
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC
from typing import NamedTuple

from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
)

from api.operations import TEST_HELPERS, Operation
from api.usage_counter import UsageCounter
from apikeys.going_live import first_calls
from apikeys.keys import last_used
from apikeys.models import RequestLog
from console.core import addresses, day_partitions

log = logging.getLogger(__name__)

_EVERY_SECONDS = 0.25
_USES_EVERY_SECONDS = 10.0
_MOST_WAITING = 20_000
_MOST_KNOWN = 100_000
# The same number of failures at which an address is throttled.
_MOST_UNPROVED = 30
# For all addresses together, in case of an attack from many.
_MOST_UNPROVED_OF_ALL = 3000
_UNSEEN = re.compile(r"[^\x20-\x7e]")
_SECRET = re.compile(r"[0-9A-Za-z]{20,}")
# A field's name or a place in a list. Anything else may be something that was sent.
_PART = re.compile(r"(?:[A-Za-z_][0-9A-Za-z_-]{0,39}|[0-9]{1,3})?", re.ASCII)


class LoggedCall(NamedTuple):
    """A log row, with the key and operation if the key was proved."""

    row: RequestLog
    key_pk: int | None
    operation: Operation | None

    @property
    def product(self) -> str:
        """Return the product that was called, or "" if the call was refused."""
        return self.operation.product if self.operation and self.row.status < 400 else ""

    @property
    def at(self) -> float:
        return self.row.at.timestamp()


class RequestLogWriter:
    """Collects this process's log rows and writes them from its own thread."""

    def __init__(self) -> None:
        self._waiting: deque[LoggedCall] = deque()
        self._uses: dict[tuple[int, str], last_used.Use] = {}
        # Businesses and products whose first sandbox call is known to be stored.
        self._first_calls: set[tuple[int, str]] = set()
        self._usage = UsageCounter()
        self._writing = threading.Lock()
        self._starting = threading.Lock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.dropped = 0
        # Rows without a proved key this minute, by address and in total, and how many such calls
        # were not logged.
        self._minute, self._unproved = 0, dict[str, int]()
        self._kept_unproved = 0
        self.unkept = 0

    def start(self) -> None:
        """Start the writing thread, once per process and only after the server has forked."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="request-log", daemon=True)
                self._thread.start()
                atexit.register(self.stop)

    def stop(self) -> None:
        """Write the waiting rows and end the thread."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def note(self, call: LoggedCall) -> None:
        """Queue one answered request."""
        if self._thread is None:
            self.start()
        if len(self._waiting) >= _MOST_WAITING:
            self.dropped += 1
        elif call.key_pk is None and self._has_enough(call.row.ip or "", call.at):
            self.unkept += 1
        else:
            self._waiting.append(call)

    def flush(self) -> None:
        """Write all waiting rows now."""
        with self._writing:
            self._write_requests()
            self._usage.write()
            self._write_uses()

    def _has_enough(self, ip: str, now: float) -> bool:
        """Tell whether an address, or all together, have used up this minute's rows."""
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

    def _run(self) -> None:
        uses_due = time.monotonic() + _USES_EVERY_SECONDS
        while not self._ending.wait(_EVERY_SECONDS):
            try:
                with self._writing:
                    self._write_requests()
                    self._usage.write()
                    if time.monotonic() >= uses_due:
                        uses_due = time.monotonic() + _USES_EVERY_SECONDS
                        self._write_uses()
                        self._tell_unkept()
            except DatabaseError as error:
                log.warning("request_log_waits", extra={"why": type(error).__name__})
                connection.close()
        try:
            self.flush()
        except DatabaseError:
            log.warning("request_log_lost", extra={"rows": len(self._waiting)})
        connection.close()

    def _write_requests(self) -> None:
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if not batch:
            return
        try:
            _insert([call.row for call in batch])
        except (OperationalError, InterfaceError):
            self._waiting.extendleft(reversed(batch))
            raise
        except DatabaseError:
            # Drop rows that can never be written, so that they do not block others.
            self.dropped += len(batch)
            log.exception("request_log_refused", extra={"rows": len(batch)})
            return
        proved = [call for call in batch if call.key_pk is not None]
        for call in proved:
            row = call.row
            # Keep only the last use of a key for a product.
            use = last_used.Use(call.key_pk or 0, call.product, call.at, row.ip or "")
            self._uses[use.key_pk, use.product] = use
            name = call.operation.name if call.operation else ""
            code = (row.code or str(row.status)) if row.status >= 400 else ""
            self._usage.count(row.business_id or 0, row.environment, name, call.at, code)
        self._write_first_calls(proved)

    def _write_first_calls(self, batch: Sequence[LoggedCall]) -> None:
        """Record each product's first successful sandbox call, right after it is logged.

        `_first_calls` avoids asking the table again in the life of this process.
        """
        known, found = self._first_calls, dict[tuple[int, str], first_calls.SandboxCall]()
        for call in batch:
            row, operation, product = call.row, call.operation, call.product
            business = row.business_id or 0
            if (business, product) in known or not product or row.environment != "sandbox":
                continue
            if operation and not row.path.startswith(TEST_HELPERS):
                first = first_calls.SandboxCall(
                    business, product, row.request_id, operation.name, call.at
                )
                found.setdefault((business, product), first)
        if found:
            first_calls.note(list(found.values()))
            if len(known) > _MOST_KNOWN:
                known.clear()
            known.update(found)

    def _tell_unkept(self) -> None:
        if self.unkept:
            unkept, self.unkept = self.unkept, 0
            log.warning("request_log_flooded", extra={"unkept": unkept})

    def _write_uses(self) -> None:
        if self._uses:
            last_used.note(list(self._uses.values()))
            self._uses.clear()


def _insert(rows: Sequence[RequestLog]) -> None:
    """Insert the rows, creating missing day partitions first if needed."""
    try:
        RequestLog.objects.bulk_create(rows)
    except IntegrityError:
        with connection.cursor() as cursor:
            for day in sorted({row.at.astimezone(UTC).date() for row in rows}):
                cursor.execute(day_partitions.SETTLE, ["apikeys_requestlog", day])
        RequestLog.objects.bulk_create(rows)


def shown(text: str, most: int) -> str:
    """Return untrusted text for the log: printable, shortened and without secrets."""
    return _SECRET.sub("[hidden]", _UNSEEN.sub("?", text))[:most]


def shown_pointer(pointer: str) -> str:
    """Return a JSON pointer for the log, with "…" for names that the client made up."""
    parts = pointer[:200].split("/")
    own = parts.index("metadata") + 1 if "metadata" in parts else len(parts)
    return "/".join(
        part if n < own and _PART.fullmatch(part) and not _SECRET.search(part) else "…"
        for n, part in enumerate(parts)
    )


WRITER = RequestLogWriter()
