"""Start processes that handle untrusted files: without network, and without our secrets."""

import os
import resource
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path

from django.utils.translation import gettext as _

from console.core.refusals import TooMany

PROJECT = Path(__file__).resolve().parents[2]
# The largest file that such a process reads. A request with one may be larger, so that most people
# who exceed it get a clear answer.
LARGEST_FILE = 20 * 1024 * 1024
LARGEST_BODY = 32 * 1024 * 1024
SECONDS = WAIT_SECONDS = 20
# In each web process: reading a file uses a processor for a second and much memory.
_places = threading.BoundedSemaphore(2)
NO_NETWORK = ("unshare", "--user", "--map-current-user", "--net", "--")


@cache
def isolation() -> tuple[str, ...]:
    """Return the command prefix that removes network access, or () where the system forbids it."""
    try:
        tried = subprocess.run([*NO_NETWORK, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return NO_NETWORK if tried.returncode == 0 else ()


def problem() -> str:
    """Return why the files of strangers are read without isolation, or ""."""
    if isolation():
        return ""
    return "This system forbids user namespaces, so files of strangers are read with network."


def environment() -> dict[str, str]:
    """Return the environment of an isolated process: few of our variables, and no secrets.

    It can read compiled bytecode but writes none.
    """
    kept = {"PYTHONPYCACHEPREFIX": sys.pycache_prefix} if sys.pycache_prefix else {}
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(PROJECT),
        "PYTHONDONTWRITEBYTECODE": "1",
        **kept,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
    }


def ask(worker: str, data: bytes) -> bytes:
    """Return what this module prints about a file, or b"" if it met a limit. Raises TooMany."""
    if not _places.acquire(timeout=WAIT_SECONDS):
        words = _("Many files are being uploaded right now, and yours was not. Try again.")
        raise TooMany(words, retry_after=60)
    try:
        done = subprocess.run(
            ["nice", "-n", "5", *isolation(), sys.executable, "-m", worker],
            input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/",
            env=environment(), timeout=SECONDS, check=False, start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return b""
    finally:
        _places.release()
    return done.stdout


def limit(*, memory: int, cpu_seconds: int) -> None:
    """Limit this process to that many bytes and seconds, and let it write no file."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
