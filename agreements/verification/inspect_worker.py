"""The process that looks at strangers' files: no network, no files of its own, little memory.

`python -m agreements.verification.inspect_worker` takes connections from its input, and ends with
it. For each one it forks a process, which reads one line of JSON, `{"roots", "time_roots", "at",
"seconds"}` with certificates in hex, then the file to its end, writes the findings as JSON, and
ends: nothing that one file does to the parser is met by the next.
"""

import gc
import json
import logging
import os
import resource
import signal
import socket
from dataclasses import asdict
from datetime import datetime
from typing import Any, Never

from agreements.verification import inspection
from agreements.verification.findings import Trust

MEMORY = 1024 * 1024 * 1024
CPU_SECONDS = 7


def main() -> None:
    """Fork for each connection, until whoever hands them over is gone."""
    logging.disable(logging.CRITICAL)
    # Nobody waits for those that end.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    with socket.socket(fileno=0) as control:
        control.send(b"+")
        while connection := _next(control):
            if os.fork() == 0:
                # Who looks at one file must not be handed the next.
                control.close()
                _answer(connection)
                os._exit(0)
            connection.close()


def _next(control: socket.socket) -> socket.socket | None:
    message, handed, _, _ = socket.recv_fds(control, 1, 1)
    return socket.socket(fileno=handed[0]) if message else None


def _answer(connection: socket.socket) -> None:
    _shut_in()
    connection.send(b"+")
    with connection.makefile("rwb") as asker:
        asked = json.loads(asker.readline())
        # Its asker waits no longer; ends the process, whatever it is doing.
        signal.setitimer(signal.ITIMER_REAL, asked["seconds"])
        trust = Trust(_certificates(asked["roots"]), _certificates(asked["time_roots"]))
        found = inspection.inspect(asker.read(), trust, datetime.fromisoformat(asked["at"]))
        asker.write(json.dumps(asdict(found)).encode())


def _certificates(written: list[str]) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one) for one in written)


def _shut_in() -> None:
    # What it says besides its answer is said to nobody.
    os.dup2(1, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    socket.socket.connect = _refuse  # type: ignore[method-assign]


def _refuse(*_: Any) -> Never:
    raise OSError("This process has no network.")


if __name__ == "__main__":
    main()
