"""Client for inspecting untrusted files within limits: `inspect(data, trust, at)`.

Each file gets its own process, so that nothing in one file can affect the next. Nothing is stored.
"""

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from agreements.verification import zip_contents
from agreements.verification.findings import MAGIC, Findings, Trust
from agreements.verification.inspect_server import server
from console.core.digests import sha256_hex
from console.core.isolation import LARGEST_FILE
from console.core.refusals import TooMany

# Elapsed time: the process has its own CPU limit, and shares the processor with others.
SECONDS = 9
# Across all web processes of a machine. A large file uses a processor for seconds and much memory,
# so half of the processors stay free for pages and API calls.
AT_ONCE = min(4, max(1, len(os.sched_getaffinity(0)) // 2))
# How many more may wait, each blocking a thread: fewer than any web process has.
WAITING = 2
# Longest wait for a slot, however slow the files ahead are.
WAIT_SECONDS = 30.0
_LOOK_AGAIN_SECONDS = 0.05


class Busy(TooMany):
    """Raised when too many files are being inspected or waiting."""

    code = "busy"


@contextmanager
def place() -> Iterator[None]:
    """Hold one of this machine's inspection slots. Raises Busy if all are taken."""
    folder = settings.DATA_DIR / "inspecting"
    folder.mkdir(parents=True, exist_ok=True)
    entered = [folder / f"entered.{number}" for number in range(AT_ONCE + WAITING)]
    looking = [folder / f"looking.{number}" for number in range(AT_ONCE)]
    with _one_of(entered, seconds=0), _one_of(looking, seconds=WAIT_SECONDS):
        yield


def _one_of(places: Sequence[Path], *, seconds: float) -> IO[bytes]:
    """Return one of the files, locked until it is closed or its process ends."""
    until = time.monotonic() + seconds
    while True:
        for path in places:
            file = path.open("wb")
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            file.close()
        if time.monotonic() >= until:
            words = (
                "Many files are being checked right now, and yours was not. Try again in a minute."
            )
            raise Busy(words, retry_after=60)
        time.sleep(_LOOK_AGAIN_SECONDS)


def inspect(data: bytes, trust: Trust, at: datetime, *, seconds: float = SECONDS) -> Findings:
    """Return the findings; a file that exceeds the limits is unreadable."""
    found = Findings(sha256_hex(data))
    if len(data) > LARGEST_FILE:
        return replace(found, unreadable="it is larger than 20 MB", gave_up=True)
    if not data.startswith((MAGIC, zip_contents.MAGIC)):
        return replace(found, unreadable="it is not a PDF")
    with server.connect() as process:
        question = {
            "roots": [root.hex() for root in trust.roots],
            "time_roots": [root.hex() for root in trust.time_roots],
            "at": at.isoformat(),
            # Start the clock here, so that starting a process does not count.
            "until": time.monotonic() + seconds,
        }
        return ask(process, found, question, data)


def ask(process: socket.socket, found: Findings, question: dict[str, Any], data: bytes) -> Findings:
    """Return a process's findings, or an unreadable result if it did not answer."""
    try:
        answer = _answer(process, json.dumps(question).encode() + b"\n" + data, question["until"])
        said = json.loads(answer)
        return Findings(**said | {"files": tuple((name, sha256) for name, sha256 in said["files"])})
    except TimeoutError:
        return replace(found, unreadable="reading it takes too long", gave_up=True)
    except (ConnectionError, ValueError):
        # It ended before or while answering.
        why = "reading it takes too much memory or time"
        return replace(found, unreadable=why, gave_up=True)


def _answer(process: socket.socket, question: bytes, until: float) -> bytes:
    parts: list[bytes] = []
    process.settimeout(_left(until))
    process.sendall(question)
    process.shutdown(socket.SHUT_WR)
    while not parts or parts[-1]:
        process.settimeout(_left(until))
        parts.append(process.recv(64 * 1024))
    return b"".join(parts)


def _left(until: float) -> float:
    if (left := until - time.monotonic()) > 0:
        return left
    raise TimeoutError
