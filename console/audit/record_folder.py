"""Folders of records in the document store, each written once, which SQL alone cannot write."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from console.core import blobs
from console.core.digests import sha256_hex

Record = dict[str, Any]
# Requests to a bucket at once.
_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class RecordFolder:
    """A folder with one JSON object for each record.

    A record's name begins with its time, so that names sort by time, and ends with the SHA-256 of
    its bytes, so that two records never share one. `members` says what each record contains; `at`
    is its time in RFC 3339.
    """

    name: str
    members: Mapping[str, type]

    def add(self, said: Record) -> None:
        """Store a record. The same record again changes nothing."""
        data = orjson.dumps(said)
        blobs.write_once(self._path(_name_of(said, data)), data)

    def has(self, said: Record) -> bool:
        """Tell whether this record is stored, unaltered."""
        try:
            self._read(_name_of(said, orjson.dumps(said)))
        except ValueError:
            return False
        return True

    def all(self) -> tuple[list[Record], list[str]]:
        """Read every record, oldest first, and return a message for each unreadable one."""
        found, wrong, names = list[Record](), list[str](), blobs.names(self.name)
        with ThreadPoolExecutor(_AT_ONCE) as readers:
            for start in range(0, len(names), 100 * _AT_ONCE):
                for said in readers.map(self._try, names[start : start + 100 * _AT_ONCE]):
                    if isinstance(said, str):
                        wrong.append(said)
                    else:
                        found.append(said)
        return found, wrong

    def newest(self, most: int) -> list[Record]:
        """Return the newest readable records, oldest first. Those read before are remembered."""
        tried = (self._try(name, again=False) for name in blobs.names(self.name)[-most:])
        return [said for said in tried if not isinstance(said, str)]

    def _try(self, name: str, *, again: bool = True) -> Record | str:
        """Return a record, or a message about why it cannot be read."""
        try:
            return self._read(name) if again else _remembered(self, name)
        except ValueError as fault:
            return str(fault)

    def _read(self, name: str) -> Record:
        """Return a record. Raises ValueError if it is missing, altered or not one of these."""
        try:
            data = blobs.read(self._path(name))
            said = orjson.loads(data)
            fits = all(isinstance(said[member], kind) for member, kind in self.members.items())
        except (blobs.BlobDamaged, ValueError, LookupError, TypeError):
            fits = False
        if not fits or name != _name_of(said, data):
            raise ValueError(f"{name} in {self.name} cannot be read")
        return dict(said)

    def _path(self, name: str) -> str:
        return f"{self.name}/{name}"


def _name_of(said: Record, data: bytes) -> str:
    at = said["at"].replace("-", "").replace(":", "")
    return f"{at}-{sha256_hex(data)}.json"


@lru_cache(maxsize=256)
def _remembered(folder: RecordFolder, name: str) -> Record:
    """Read a record once in each process: bytes under a name never change."""
    return folder._read(name)
