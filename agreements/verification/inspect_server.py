"""Client of a running `inspect_worker`, with one connection for each file.

Starting Python and importing the libraries takes forty times as long as inspecting a file. So one
process imports them once, and forks a copy of itself for each file.
"""

import atexit
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack

from console.core.isolation import environment, isolation

# Importing takes about a second, forking milliseconds. Replace a process that is slower.
START_SECONDS, FORK_SECONDS = 10.0, 5.0
_NICER = ("nice", "-n", "5")
_WORKER = "agreements.verification.inspect_worker"


class InspectServer:
    """Starts the process on first use, and again whenever it has ended or hangs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def pid(self) -> int | None:
        """ID of the forking process, while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def connect(self) -> socket.socket:
        """Return a connection to a new process. Raises OSError if none can be started."""
        try:
            return self._forked()
        except OSError:
            # The forking process has ended or hangs; retry once with a new one.
            return self._forked()

    def stop(self) -> None:
        """End the process; the next connection starts another."""
        with self._lock:
            self._stop()

    def _forked(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with ExitStack() as opened:
            opened.enter_context(ours)
            with theirs, self._lock:
                control, asked = self._running()
                opened.callback(self._replace, asked)
                socket.send_fds(control, [b"+"], [theirs.fileno()])
            _wait_for(ours, FORK_SECONDS)
            opened.pop_all()
        return ours

    def _replace(self, failed: "subprocess.Popen[bytes]") -> None:
        """End the failed process, unless another thread has already replaced it."""
        with self._lock:
            if self._process is failed:
                self._stop()

    def _running(self) -> "tuple[socket.socket, subprocess.Popen[bytes]]":
        if self._process is None or self._control is None or self._process.poll() is not None:
            self._stop()
            self._process, self._control = self._started()
        return self._control, self._process

    def _started(self) -> "tuple[subprocess.Popen[bytes], socket.socket]":
        # Each packet carries one connection.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ExitStack() as opened:
            opened.enter_context(ours)
            with theirs:
                process = subprocess.Popen(
                    [*_NICER, *isolation(), sys.executable, "-m", _WORKER],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    cwd="/",
                    env=environment(),
                    start_new_session=True,
                )
            opened.callback(_end, process)
            _wait_for(ours, START_SECONDS)
            opened.pop_all()
        return process, ours

    def _stop(self) -> None:
        if self._control:
            self._control.close()
        if self._process:
            _end(self._process)
        self._control = self._process = None


def _wait_for(process: socket.socket, seconds: float) -> None:
    """Wait until the process behind a connection is ready."""
    process.settimeout(seconds)
    if not process.recv(1):
        raise ConnectionError("The process that looks at files ended before it began.")


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


server = InspectServer()
atexit.register(server.stop)
