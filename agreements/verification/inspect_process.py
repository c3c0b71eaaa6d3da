"""The parent's side of looking at a stranger's file: `inspect(data, trust, at)`, within limits.

Every file gets a process of its own that ends with it: nothing that one file does to the parser
is met by the next. Nothing is kept.
"""

import json
import os
import socket
import time
from dataclasses import replace
from datetime import datetime
from typing import Any

from agreements.verification.findings import MAGIC, Findings, Trust
from agreements.verification.inspect_server import server
from console.core.digests import sha256_hex
from console.core.queues import Queue

LARGEST = 20 * 1024 * 1024
# By the clock: the process itself may use less of a processor, and others use it too.
SECONDS = 9
# Of all web processes of a machine. Looking at a large file keeps a processor busy for seconds, and
# takes memory: half of the processors stay for pages and calls.
AT_ONCE = min(4, max(1, len(os.sched_getaffinity(0)) // 2))
# In line for each that is looked at: were all files slow, the last would be answered within the
# minute that a proxy waits.
_BEHIND_EACH = 5
# Uploads wait in a line of their own, which is short: none of them holds a thread of the console,
# nor a connection to the database.
QUEUE = Queue(
    method="POST",
    path="/verify/",
    at_once=AT_ONCE,
    waiting=_BEHIND_EACH * AT_ONCE,
    # More than is looked at, so that most who send too much read what is true of their file.
    largest=64 * 1024 * 1024,
    heading="Many files are being checked right now",
    words="Your file was not looked at. Try again in a minute.",
    retry_after=60,
)


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
