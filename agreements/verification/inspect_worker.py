"""The process that looks at strangers' files: no network, no files of its own, little memory.

`python -m agreements.verification.inspect_worker` takes connections from its input, and ends with
it. For each one it forks a process, which reads one line of JSON, `{"roots", "time_roots", "at",
"until"}` with certificates in hex and the moment of the machine's monotonic clock at which it must
have ended, then the file to its end, writes the findings as JSON, and ends. Each is a user of a
namespace of its own: whatever one file does to the parser, it cannot look into the process of
another, nor into the one that forks.
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
    """Fork for each connection, until whoever hands them over is gone."""
    logging.disable(logging.CRITICAL)
    # Nobody waits for those that end.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    # Whoever asked may be gone at any moment.
    with socket.socket(fileno=0) as control, suppress(ConnectionError):
        control.send(b"+")
        while connection := _next(control):
            if os.fork() == 0:
                # Who looks at one file must not be handed the next.
                control.close()
                _look(connection)
            connection.close()


def _next(control: socket.socket) -> socket.socket | None:
    message, handed, _, _ = socket.recv_fds(control, 1, 1)
    return socket.socket(fileno=handed[0]) if message else None


def _look(connection: socket.socket) -> Never:
    """Answer, and end this process: whatever happens, it never goes on as the one that forks."""
    try:
        _shut_in()
        _answer(connection)
    finally:
        os._exit(0)


def _answer(connection: socket.socket) -> None:
    connection.send(b"+")
    with connection.makefile("rwb") as asker:
        asked = json.loads(asker.readline())
        # Its asker has given up by then. Ends the process, whatever it is doing.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        left = asked["until"] - time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(0.0, left) + _LATER)
        trust = Trust(_certificates(asked["roots"]), _certificates(asked["time_roots"]))
        found = inspection.inspect(asker.read(), trust, datetime.fromisoformat(asked["at"]))
        asker.write(json.dumps(asdict(found)).encode())


def _certificates(written: list[str]) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one) for one in written)


def _shut_in() -> None:
    # What it says besides its answer is said to nobody.
    os.dup2(1, 2)
    # Where the system forbids it, nothing keeps processes of one user apart.
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
