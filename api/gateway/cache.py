"""Key records in memory, dropped the moment something about them changes.

The database announces each change of a key, a grant or a business with NOTIFY. A record is believed
only while the listening connection has lately proved to be alive, and never longer than the belt.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import psycopg

from api.gateway import records
from api.gateway.database import Database
from api.gateway.records import KeyRecord
from api.gateway.waiting import WouldWait
from apikeys.change_notices import CHANNEL

log = logging.getLogger(__name__)


_MAX_AGE_SECONDS = 30.0
_HEARTBEAT_SECONDS = 5.0
_PULSE_SECONDS = 1.0
_MOST_RECORDS = 100_000


class _Kept(NamedTuple):
    record: KeyRecord | None
    until: float


class Records:
    """Finds records by key id: from memory when that is safe, otherwise from the database."""

    def __init__(self, database: Database, **others: Callable[[str], None]) -> None:
        """Listen for `others` too: a function for each channel, given what its notices say."""
        self._database = database
        self._others = others
        self._kept: dict[str, _Kept] = {}
        self._changes = 0
        self._lock = threading.Lock()
        self._alive_until = 0.0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def find(self, key_id: str, *, may_wait: bool = True) -> KeyRecord | None:
        """Return the key's record, or None when there is no such key."""
        if (kept := self._believed(key_id)) is not None:
            return kept.record
        if not may_wait:
            raise WouldWait
        return self.find_now(key_id)

    def known(self, key_id: str) -> KeyRecord | None:
        """Return the record that memory holds, if it may be believed."""
        kept = self._believed(key_id)
        return kept.record if kept else None

    def find_now(self, key_id: str) -> KeyRecord | None:
        """Return the key's record from the database, whatever memory says; memory keeps it."""
        now, changes = time.monotonic(), self._changes
        record = records.read(self._database, key_id)
        # Something changed while we read: the row may be the old one, so it is not kept.
        with self._lock:
            if changes == self._changes and now < self._alive_until:
                if len(self._kept) >= _MOST_RECORDS:
                    self._kept.clear()
                self._kept[key_id] = _Kept(record, now + _MAX_AGE_SECONDS)
        return record

    def _believed(self, key_id: str) -> _Kept | None:
        now, kept = time.monotonic(), self._kept.get(key_id)
        if kept is not None and now < kept.until and now < self._alive_until:
            return kept
        return None

    def start(self) -> None:
        """Begin to listen. Call it in the process that serves, never before a fork."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._listen, name="gateway-listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def forget(self, what: str = "") -> None:
        """Drop what a notice names: a key's id, or everything."""
        with self._lock:
            self._changes += 1
            self._drop(what)

    def _drop(self, what: str) -> None:
        if what.startswith("svc_"):
            self._kept.pop(what, None)
        else:
            self._kept.clear()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hear()
            except psycopg.Error as error:
                log.warning("door_listener_lost", extra={"why": type(error).__name__})
                self._alive_until = 0.0
                self._stopping.wait(_PULSE_SECONDS)

    def _hear(self) -> None:
        with self._database.connect() as connection:
            for channel in (CHANNEL, *self._others):
                connection.execute(f"LISTEN {channel}")
            # What changed before we listened was announced to nobody.
            self.forget()
            while not self._stopping.is_set():
                connection.execute("SELECT 1")
                self._alive_until = time.monotonic() + _HEARTBEAT_SECONDS
                for notice in connection.notifies(timeout=_PULSE_SECONDS):
                    self._others.get(notice.channel, self.forget)(notice.payload)
                    self._alive_until = time.monotonic() + _HEARTBEAT_SECONDS
