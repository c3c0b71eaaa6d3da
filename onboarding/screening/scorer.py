"""The scorer: the one process that loads rigour's table of names. It ends when it is idle.

`python -m onboarding.screening.scorer SOCKET` serves a Unix socket, one request after another:
each connection sends one line `{"asked", "entries": {id: [kind, names]}, "model"}` and gets one
line `{"found": {id: {"score", "name", "parts"}}, "cpu"}` with the entries from the threshold up.
The kind of an entry says how its names are compared: as a person's or as others.
"""

import json
import os
import resource
import signal
import socketserver
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

IDLE_SECONDS = 60.0
READ_SECONDS = 30.0
# Less than the client waits.
ANSWER_SECONDS = 50
MEMORY = 2 * 1024 * 1024 * 1024


class ScoreRequests(socketserver.StreamRequestHandler):
    """Answers one request."""

    timeout = READ_SECONDS

    def handle(self) -> None:
        if line := self.rfile.readline():
            # Ends a process that hangs. The next request starts another.
            signal.alarm(ANSWER_SECONDS)
            try:
                found = answer(json.loads(line))
            except Exception as error:  # noqa: BLE001 - the client reports the scorer's own bugs
                found = {"failed": f"{type(error).__name__}: {error}"}
            finally:
                signal.alarm(0)
            self.wfile.write(json.dumps(found).encode() + b"\n")


class ScoreServer(socketserver.UnixStreamServer):
    """Serves requests until none has come for a while."""

    timeout = IDLE_SECONDS
    request_queue_size = 64
    is_idle = False

    def handle_timeout(self) -> None:
        self.is_idle = True


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the entries whose names score from the model's threshold up."""
    from onboarding.screening import matching

    began, model = time.process_time(), matching.prepared(asked["model"])
    found = {
        entry: matching.score(asked["asked"], kind, names, model)
        for entry, (kind, names) in asked["entries"].items()
    }
    least = {entry: matching.least(kind, model) for entry, (kind, _) in asked["entries"].items()}
    return {
        "found": {entry: asdict(one) for entry, one in found.items() if one.score >= least[entry]},
        "cpu": time.process_time() - began,
    }


def main(path: str) -> None:
    """Load the tables, bind the socket, and serve it in the background until idle."""
    from onboarding.screening import matching

    os.nice(10)  # pages come first
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    matching.load()
    with ScoreServer(path, ScoreRequests) as server:
        if os.fork():
            os._exit(0)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        while not server.is_idle:
            server.handle_request()
        Path(path).unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1])
