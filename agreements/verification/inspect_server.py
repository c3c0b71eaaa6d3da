"""A running `inspect_worker`, and how to reach it: one connection for each file.

Starting Python and reading the libraries takes forty times as long as looking at a file. So one
process does that once and waits; what looks at a file is a copy of it that ends with the file.
"""

import atexit
import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress

from agreements.rendering.render_process import PROJECT, bytecode, isolation

# Once in the life of a web process.
START_SECONDS = 30.0
_NICER = ("nice", "-n", "5")
_WORKER = "agreements.verification.inspect_worker"


class InspectServer:
    """The process is started when first needed, and again whenever it is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def pid(self) -> int | None:
        """The process that forks, while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def connect(self) -> socket.socket:
        """Return a connection to a new process. Raises OSError where none can be started."""
        with suppress(OSError):
            return self._forked()
        # Whoever forks may have ended since it was last seen: the next one is new.
        self.stop()
        return self._forked()

    def _forked(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with ExitStack() as opened:
            opened.enter_context(ours)
            with theirs, self._lock:
                socket.send_fds(self._running(), [b"+"], [theirs.fileno()])
            _wait_for(ours)
            opened.pop_all()
        return ours

    def stop(self) -> None:
        """End the process; the next connection starts another."""
        with self._lock:
            self._stop()

    def _running(self) -> socket.socket:
        if self._control and self.pid:
            return self._control
        self._stop()
        # In packets: each carries one connection.
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*_NICER, *isolation(), sys.executable, "-m", _WORKER],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                cwd="/",
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "PYTHONPATH": str(PROJECT),
                    **bytecode(),
                    "LANG": "C.UTF-8",
                    "TZ": "UTC",
                },
                start_new_session=True,
            )
        _wait_for(self._control)
        return self._control

    def _stop(self) -> None:
        if self._control:
            self._control.close()
            self._control = None
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


def _wait_for(process: socket.socket) -> None:
    """Return when who is behind a connection says so."""
    process.settimeout(START_SECONDS)
    if not process.recv(1):
        raise ConnectionError("No process looks at files; the log says why.")


server = InspectServer()
atexit.register(server.stop)
