"""The parent's side of looking at a stranger's file: `inspect(data, trust, at)`, within limits.

Every file gets a process of its own that ends with it: nothing that one file does to the parser
is met by the next. Nothing is kept.
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

from agreements.verification.findings import MAGIC, Findings, Trust
from agreements.verification.inspect_server import server
from console.core.digests import sha256_hex
from console.core.refusals import TooMany

LARGEST = 20 * 1024 * 1024
# What may be sent: more than is looked at, so that most who send too much read what is true of it.
LARGEST_BODY = 64 * 1024 * 1024
# By the clock: the process itself may use less of a processor, and others use it too.
SECONDS = 9
# Of all web processes of a machine. Looking at a large file keeps a processor busy for seconds, and
# takes memory: half of the processors stay for pages and calls.
AT_ONCE = min(4, max(1, len(os.sched_getaffinity(0)) // 2))
# So many more wait for a place, each in a thread of a web process: fewer than any of them has.
WAITING = 2
# Behind those that wait, however slow the files before are.
WAIT_SECONDS = 30.0
_LOOK_AGAIN_SECONDS = 0.05


class Busy(TooMany):
    """As many files are looked at, and wait, as may."""

    code = "busy"


@contextmanager
def place() -> Iterator[None]:
    """Hold a place among the files that this machine looks at. Raises Busy where all are taken."""
    folder = settings.DATA_DIR / "inspecting"
    folder.mkdir(parents=True, exist_ok=True)
    entered = [folder / f"entered.{number}" for number in range(AT_ONCE + WAITING)]
    looking = [folder / f"looking.{number}" for number in range(AT_ONCE)]
    with _one_of(entered, seconds=0), _one_of(looking, seconds=WAIT_SECONDS):
        yield


def _one_of(places: Sequence[Path], *, seconds: float) -> IO[bytes]:
    """Return one of the files, locked for as long as it is open: its lock ends with its holder."""
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
    """Return what is true of the file; a file that breaks the limits is unreadable."""
    found = Findings(sha256_hex(data), len(data))
    if len(data) > LARGEST:
        return replace(found, unreadable="it is larger than 20 MB", gave_up=True)
    if not data.startswith(MAGIC):
        return replace(found, unreadable="it is not a PDF")
    with server.connect() as process:
        question = {
            "roots": [root.hex() for root in trust.roots],
            "time_roots": [root.hex() for root in trust.time_roots],
            "at": at.isoformat(),
            # From here on: a process that had to be started first takes nothing of a file's time.
            "until": time.monotonic() + seconds,
        }
        return ask(process, found, question, data)


def ask(process: socket.socket, found: Findings, question: dict[str, Any], data: bytes) -> Findings:
    """Return what a process says of a file; where it says nothing, that nothing was found."""
    try:
        answer = _answer(process, json.dumps(question).encode() + b"\n" + data, question["until"])
        return Findings(**json.loads(answer))
    except TimeoutError:
        return replace(found, unreadable="reading it takes too long", gave_up=True)
    except (ConnectionError, ValueError):
        # It ended before it answered, or while it did.
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
