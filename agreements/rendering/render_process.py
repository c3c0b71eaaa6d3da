"""Client of the render process: start it, send requests, and restart it when it has ended."""

import atexit
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from console.core.isolation import environment, isolation

SECONDS = 60.0
START_SECONDS = 60.0
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><cachedir>{folder}</cachedir></fontconfig>
"""


class RenderFailed(Exception):
    """Raised when the document could not be rendered; the message says why. Nothing is stored."""


class ProcessEnded(RenderFailed):
    """Raised when the process ended before it answered."""


class RenderProcess:
    """A long-lived render process, started on first use and restarted whenever it has ended."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._profile: dict[str, str] = {}

    def ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and wait for the answer, one at a time."""
        with self._lock:
            try:
                return self._ask(asked)
            except ProcessEnded:
                return self._ask(asked)  # retry once: it may have died while idle

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        child = self._running()
        try:
            _write_line(child, asked)
            return _read_line(child, self.seconds)
        except BrokenPipeError:
            self._stop()
            raise ProcessEnded("The render process ended.") from None
        except RenderFailed:
            self._stop()
            raise

    def profile(self) -> dict[str, str]:
        """Return the profile that the process reported when it started."""
        with self._lock:
            self._running()
            return self._profile

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def stop(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._stop()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._child and self._child.poll() is None:
            return self._child
        self._stop()
        self._folder = tempfile.TemporaryDirectory(prefix="documents-")
        self._child = _start(Path(self._folder.name))
        try:
            self._profile = _read_line(self._child, START_SECONDS)["ready"]
        except (OSError, RenderFailed) as error:
            said = (Path(self._folder.name) / "errors").read_text("utf-8", "replace").strip()
            self._stop()
            raise RenderFailed(f"The render process does not start: {said or error}") from error
        return self._child

    def _stop(self) -> None:
        if self._child:
            self._child.kill()
            self._child.communicate()
            self._child = None
        if self._folder:
            self._folder.cleanup()
            self._folder = None


_processes: dict[int, RenderProcess] = {}


def process() -> RenderProcess:
    """Return this process's render process. Each fork gets its own, as pipes cannot be shared."""
    if os.getpid() not in _processes:
        _processes[os.getpid()] = RenderProcess()
    return _processes[os.getpid()]


@atexit.register
def stop() -> None:
    """End this process's render process, if it has one."""
    if own := _processes.pop(os.getpid(), None):
        own.stop()


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    fonts = folder / "fonts.conf"
    fonts.write_text(FONTS.format(folder=folder), "utf-8")
    home = str(folder)
    variables = environment() | {
        "PYTHONHASHSEED": "0",
        "FONTCONFIG_FILE": str(fonts),
        "HOME": home,
        "RENDER_FOLDER": home,  # deleted by the process if its parent cannot
        "TMPDIR": home,
        "SOURCE_DATE_EPOCH": "946684800",  # fontTools dates font subsets: use a fixed time
    }
    with (folder / "errors").open("wb") as errors:
        return subprocess.Popen(
            [*isolation(), sys.executable, "-m", "agreements.rendering.render_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=home,
            env=variables,
            start_new_session=True,
            bufsize=0,
        )


def _write_line(child: "subprocess.Popen[bytes]", asked: Mapping[str, Any]) -> None:
    assert child.stdin
    waiting = memoryview(json.dumps(asked).encode() + b"\n")
    while waiting:
        waiting = waiting[child.stdin.write(waiting) :]


def _read_line(child: "subprocess.Popen[bytes]", seconds: float) -> dict[str, Any]:
    assert child.stdout
    deadline, pipe = time.monotonic() + seconds, child.stdout.fileno()
    pieces: list[bytes] = []
    while not pieces or not pieces[-1].endswith(b"\n"):
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise RenderFailed(f"The document took longer than {seconds:g} seconds.")
        piece = os.read(pipe, 1 << 20)
        if not piece:
            raise ProcessEnded("The render process ended.")
        pieces.append(piece)
    return dict(json.loads(b"".join(pieces)))
