"""The parent's side of looking at a stranger's file: `inspect(data, trust, at)`, within limits.

Every file gets a process of its own that ends with it: nothing that one file does to the parser
is met by the next. Nothing is kept.
"""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO

from django.conf import settings

from agreements.rendering.render_process import PROJECT, bytecode, isolation
from agreements.verification.findings import MAGIC, Findings, Trust
from console.core.digests import sha256_hex
from console.core.queues import Queue
from console.core.refusals import TooMany

LARGEST = 20 * 1024 * 1024
# By the clock: the process itself may use ten seconds of a processor, and others use it too.
SECONDS = 20
# Of all web processes of a machine. Looking at a file keeps a processor busy for a second, and
# takes memory: half of the processors stay for pages and calls.
AT_ONCE = min(4, max(1, len(os.sched_getaffinity(0)) // 2))
_LOOK_AGAIN_SECONDS = 0.02
_NICER = ("nice", "-n", "5")
# Uploads wait in a queue of their own, which is short: none of them holds a thread of the console.
QUEUE = Queue(
    method="POST",
    path="/verify/",
    threads=AT_ONCE,
    waiting=6,
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
    question = {
        "roots": [root.hex() for root in trust.roots],
        "time_roots": [root.hex() for root in trust.time_roots],
        "at": at.isoformat(),
    }
    with _place():
        try:
            answer = _ask(json.dumps(question).encode() + b"\n" + data, seconds)
        except subprocess.TimeoutExpired:
            return replace(found, unreadable="reading it takes too long", gave_up=True)
    if answer.returncode:
        why = "reading it takes too much memory or time"
        return replace(found, unreadable=why, gave_up=True)
    return Findings(**json.loads(answer.stdout))


def _ask(question: bytes, seconds: float) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*_NICER, *isolation(), sys.executable, "-m", "agreements.verification.inspect_worker"],
        input=question,
        capture_output=True,
        timeout=seconds,
        check=False,
        cwd="/",
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(PROJECT),
            **bytecode(),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
        },
    )


@contextmanager
def _place() -> Iterator[None]:
    """Take one of the machine's few places; whoever gets none in time is told so."""
    until = time.monotonic() + SECONDS
    folder = Path(settings.DATA_DIR) / "inspecting"
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        # A lock ends with whoever holds it, however that happens.
        places = [opened.enter_context((folder / f"{n}").open("w")) for n in range(AT_ONCE)]
        while not any(map(_is_locked, places)):
            if time.monotonic() > until:
                raise TooMany(f"{QUEUE.heading}. {QUEUE.words}", retry_after=QUEUE.retry_after)
            time.sleep(_LOOK_AGAIN_SECONDS)
        yield


def _is_locked(place: IO[str]) -> bool:
    """Lock a place, if nobody holds it."""
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
