"""Client of the scorer process: asks it for scores, and starts it if it does not run."""

import fcntl
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from onboarding.screening.model import ScreeningModel

SECONDS = 60.0
# Loading the tables takes 8 seconds on an idle processor.
START_SECONDS = 180.0
TRIES = 3
PROJECT = Path(__file__).resolve().parents[2]
# The code of the scorer: a process with other code has another socket.
_CODE = (
    *("alike.py", "containment.py", "letters.py", "matching.py", "names.py", "ordinary.py"),
    *("scorer.py", "spelling.py"),
)


class ScorerDown(Exception):
    """The scorer did not start or did not answer."""


def compare(
    name: str, entries: Mapping[int, tuple[str, Sequence[str]]], model: ScreeningModel
) -> dict[str, Any]:
    """Return `found`, the comparison of each entry that may have this name, and the CPU seconds.

    `entries` has the kind and the names of each.
    """
    return ask({"asked": name, "entries": entries, "model": model.document})


def ask(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Send a request to the scorer and return its answer, or raise ScorerDown."""
    line = json.dumps(asked).encode() + b"\n"
    for _attempt in range(TRIES):
        try:
            answer: dict[str, Any] = json.loads(_exchange(line) or "{}")
        except (ConnectionError, FileNotFoundError, ValueError):
            answer = {}
        except OSError as error:
            raise ScorerDown(f"The scorer did not answer: {error}.") from error
        if "failed" in answer:
            raise ScorerDown(answer["failed"])
        if answer:
            return answer
        _start()
    raise ScorerDown("The scorer ended before it answered.")


def _exchange(line: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SECONDS)
        connection.connect(str(socket_path()))
        connection.sendall(line)
        with connection.makefile("rb") as answers:
            return answers.readline()


def _start() -> None:
    """Start the scorer and wait until it is ready, unless another process has just done so."""
    path = socket_path()
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_served(path):
            return
        path.unlink(missing_ok=True)
        try:
            subprocess.run(
                [sys.executable, "-m", "onboarding.screening.scorer", str(path)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=PROJECT,
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "PYTHONPATH": str(PROJECT),
                    "LANG": "C.UTF-8",
                },
                timeout=START_SECONDS,
                check=True,
            )
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip()
            raise ScorerDown(f"The scorer does not start: {said[-500:]}") from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ScorerDown(f"The scorer does not start: {error}.") from error


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection, suppress(OSError):
        connection.connect(str(path))
        return True
    return False


@cache
def socket_path() -> Path:
    """Return the scorer's socket, in a folder that only this user may enter."""
    folder = Path(tempfile.gettempdir()) / f"access-console-screening-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    if about.st_uid != os.getuid() or about.st_mode & 0o077:
        raise ScorerDown(f"Somebody else may write to {folder}.")
    code = b"".join((Path(__file__).parent / name).read_bytes() for name in _CODE)
    return folder / f"{sha256(str(PROJECT).encode() + code).hexdigest()[:16]}.sock"
