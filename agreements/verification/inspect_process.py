"""The parent's side of looking at a stranger's file: `inspect(data, trust, at)`, within limits.

Every file gets a process of its own that ends with it: nothing that one file does to the parser
is met by the next. Nothing is kept.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime

from agreements.rendering.render_process import PROJECT, bytecode, isolation
from agreements.verification.findings import MAGIC, Findings, Trust
from console.core.digests import sha256_hex
from console.core.queues import Queue

LARGEST = 20 * 1024 * 1024
# By the clock: the process itself may use less of a processor, and others use it too.
SECONDS = 9
# Of all web processes of a machine. Looking at a file keeps a processor busy for a second, and
# takes memory: half of the processors stay for pages and calls.
AT_ONCE = min(4, max(1, len(os.sched_getaffinity(0)) // 2))
# In line for each that is looked at: were all files slow, the last would be answered within the
# minute that a proxy waits.
_BEHIND_EACH = 5
_NICER = ("nice", "-n", "5")
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
    question = {
        "roots": [root.hex() for root in trust.roots],
        "time_roots": [root.hex() for root in trust.time_roots],
        "at": at.isoformat(),
    }
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
