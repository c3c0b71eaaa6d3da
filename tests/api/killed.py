"""A process that posts in child processes, each killed at one line of our code.

`python -m tests.api.killed` reads orders as JSON lines, {"environ", "body", "line"}. For each, it
forks a child that kills itself after this many lines of `api/`, `console/audit` and
`console/events`. It answers with the number of lines the child ran, and the status if it survived.
"""

import io
import json
import os
import signal
import sys
from types import FrameType
from typing import Any

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db import connection, connections  # noqa: E402

from api import rate_limits  # noqa: E402
from api.request_log_writer import RequestLogWriter  # noqa: E402
from benchmarks.unlimited import UNLIMITED  # noqa: E402

_WATCHED = ("/api/", "/console/audit/", "/console/events/")


class Killer:
    """Counts the lines run between claim and response, and kills the process at one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.lines = 0
        self.watches = False

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if not any(part in name for part in _WATCHED):
            return None
        if frame.f_code.co_name == "perform":
            self.watches = True
        if event == "line" and self.watches:
            self.lines += 1
            if self.lines == self.at:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.trace


def _post(order: dict[str, Any], out: int) -> None:
    killer = Killer(order["line"])
    said = []

    def start(status: str, _: object) -> None:
        said.append(int(status.split()[0]))

    rate_limits.RATE_LIMITS = UNLIMITED
    # The child lives for one call only, so it does not need the log writer's thread.
    RequestLogWriter.start = lambda self: None  # type: ignore[method-assign]
    api: Any = WSGIHandler()
    if killer.at:
        sys.settrace(killer.trace)
    environ = order["environ"] | {"wsgi.input": io.BytesIO(order["body"].encode())}
    answer = json.loads(b"".join(api(environ, start)))
    sys.settrace(None)
    told = {"lines": killer.lines, "status": said[0], "id": answer.get("id")}
    os.write(out, json.dumps(told).encode())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    connection.settings_dict["USER"] = "site"
    connection.settings_dict["NAME"] = os.environ["KILLED_IN"]
    # Import and compile once here, so that no child has to.
    _post(json.loads(sys.stdin.readline()), sys.stdout.fileno())
    _say("")
    connections.close_all()
    for line in sys.stdin:
        into, out = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(into)
            _post(json.loads(line), out)
            os._exit(0)
        os.close(out)
        with os.fdopen(into) as answered:
            said = answered.read()
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        _say(json.dumps({"killed": killed, "said": json.loads(said) if said else None}))


if __name__ == "__main__":
    main()
