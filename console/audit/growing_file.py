"""Append-only files in DATA_DIR, one JSON object per line, which SQL alone cannot write."""

import fcntl
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings


@dataclass(frozen=True)
class GrowingFile:
    """An append-only file, and the members of each line in order."""

    name: str
    members: Mapping[str, type]

    @property
    def path(self) -> Path:
        return Path(settings.DATA_DIR) / self.name

    def append(self, said: Mapping[str, Any]) -> None:
        """Append a line and fsync it. If the last line was cut off, start a new line after it."""
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            size = os.fstat(handle).st_size
            whole = not size or os.pread(handle, 1, size - 1) == b"\n"
            os.write(handle, (b"" if whole else b"\n") + orjson.dumps(said) + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the first line creates the file
        finally:
            os.close(folder)

    def lines(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the parsed lines, oldest first, and a message for each unreadable line.

        A line cut off by a power failure is not a fault: the interrupted operation is repeated and
        writes a new line.
        """
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return [], []
        found, wrong = list[dict[str, Any]](), list[str]()
        for number, line in enumerate(lines, 1):
            try:
                said = orjson.loads(line) if line else None
            except ValueError:
                said = ...
            if isinstance(said, dict) and self._fits(said):
                found.append(said)
            elif said is not None and not self._was_broken_off(line):
                wrong.append(f"line {number} of {self.name} cannot be read")
        return found, wrong

    def _fits(self, said: dict[str, Any]) -> bool:
        return all(isinstance(said.get(name), kind) for name, kind in self.members.items())

    def _was_broken_off(self, line: bytes) -> bool:
        """Tell whether this is an incomplete line of ours."""
        begins = f'{{"{next(iter(self.members))}":'.encode()
        return line.startswith(begins) and not line.endswith(b"}")
