"""The parent's side of looking at a stranger's file: `inspect(data, trust, at)`, within limits.

Every file gets a process of its own that ends with it: nothing that one file does to the parser
is met by the next. Nothing is kept.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from agreements.rendering.render_process import PROJECT, bytecode, isolation
from agreements.verification.findings import MAGIC, Findings, Trust
from console.core.digests import sha256_hex
from console.core.queues import Queue
from console.core.refusals import TooMany

LARGEST = 20 * 1024 * 1024
# By the clock: the process itself may use ten seconds of a processor, and others use it too.
SECONDS = 20
# Of one web process. Looking at a file keeps a processor busy for a second; pages come first.
AT_ONCE = 2
_NICER = ("nice", "-n", "5")
# Uploads wait in a queue of their own, which is short: none of them holds a thread of the console.
QUEUE = Queue(
    method="POST",
    path="/verify/",
    threads=AT_ONCE,
    waiting=6,
    heading="Many files are being checked right now",
    words="Your file was not looked at. Try again in a minute.",
    retry_after=60,
)
_places = threading.BoundedSemaphore(AT_ONCE)


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
    """Take one of few places; whoever finds none is told so at once, and does not wait for one."""
    if not _places.acquire(blocking=False):
        raise TooMany(f"{QUEUE.heading}. {QUEUE.words}", retry_after=QUEUE.retry_after)
    try:
        yield
    finally:
        _places.release()
