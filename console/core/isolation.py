"""Start processes that handle untrusted files: without network, and without our secrets."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# The largest file that such a process reads. A request with one may be larger, so that most people
# who exceed it get a clear answer.
LARGEST_FILE = 20 * 1024 * 1024
LARGEST_BODY = 32 * 1024 * 1024
NO_NETWORK = ("unshare", "--user", "--map-current-user", "--net", "--")


@cache
def isolation() -> tuple[str, ...]:
    """Return the command prefix that removes network access, or () where the system forbids it."""
    try:
        tried = subprocess.run([*NO_NETWORK, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return NO_NETWORK if tried.returncode == 0 else ()


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
