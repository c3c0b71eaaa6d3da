"""Process that inspects untrusted files: no network, no file writes, limited memory.

`python -m agreements.verification.inspect_worker` receives connections on its standard input, and
ends with it. For each one it forks a process, which reads one line of JSON, `{"roots",
"time_roots", "at", "until"}`, then the file to its end, writes the findings as JSON, and ends.
Certificates are in hex, and `until` is the deadline on the machine's monotonic clock. Each fork has
its own user namespace: whatever a file does to the parser, it cannot access the process of another
file or the forking process.
"""

import ctypes
import gc
import json
import logging
import os
import resource
import signal
import socket
import time
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, Never

from agreements.verification import inspection
from agreements.verification.findings import Trust

MEMORY = 1024 * 1024 * 1024
CPU_SECONDS = 7
_LATER = 0.5
_CLONE_NEWUSER = 0x10000000  # linux/sched.h
_C = ctypes.CDLL(None)


def main() -> None:
    """Fork for each connection, until the sender of connections is gone."""
    logging.disable(logging.CRITICAL)
    # Let the system reap the forks.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    # The client can disappear at any time.
    with socket.socket(fileno=0) as control, suppress(ConnectionError):
        control.send(b"+")
        while connection := _next(control):
            if os.fork() == 0:
                # The fork must not receive further files.
                control.close()
                _look(connection)
            connection.close()


def _next(control: socket.socket) -> socket.socket | None:
    message, handed, _, _ = socket.recv_fds(control, 1, 1)
    return socket.socket(fileno=handed[0]) if message else None


def _look(connection: socket.socket) -> Never:
    """Answer and exit, whatever happens: a fork must never return to the accept loop."""
    try:
        _shut_in()
        _answer(connection)
    finally:
        os._exit(0)


def _answer(connection: socket.socket) -> None:
    connection.send(b"+")
    with connection.makefile("rwb") as asker:
        asked = json.loads(asker.readline())
        # The client has given up by then. SIGALRM's default action ends the process at once.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        left = asked["until"] - time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(0.0, left) + _LATER)
        trust = Trust(_certificates(asked["roots"]), _certificates(asked["time_roots"]))
        found = inspection.inspect(asker.read(), trust, datetime.fromisoformat(asked["at"]))
        asker.write(json.dumps(asdict(found)).encode())


def _certificates(written: list[str]) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one) for one in written)


def _shut_in() -> None:
    # Discard standard error.
    os.dup2(1, 2)
    # Separates processes of one user; systems that forbid it leave them unseparated.
    _C.unshare(_CLONE_NEWUSER)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    socket.socket.connect = _refuse  # type: ignore[method-assign]


def _refuse(*_: Any) -> Never:
    raise OSError("This process has no network.")


if __name__ == "__main__":
    main()
