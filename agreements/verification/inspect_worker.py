"""The process that looks at strangers' files: no network, no files of its own, little memory.

`python -m agreements.verification.inspect_worker` reads one line of JSON,
`{"roots", "time_roots", "at"}` with certificates in hex, then the file to its end, and writes the
findings as JSON.
"""

import json
import logging
import resource
import socket
import sys
from dataclasses import asdict
from datetime import datetime
from typing import Any, Never

MEMORY = 1024 * 1024 * 1024
CPU_SECONDS = 7


def main() -> None:
    """Answer one question and end."""
    logging.disable(logging.CRITICAL)
    from agreements.verification import inspection
    from agreements.verification.findings import Trust

    asked = json.loads(sys.stdin.buffer.readline())
    trust = Trust(_certificates(asked["roots"]), _certificates(asked["time_roots"]))
    _shut_in()
    found = inspection.inspect(sys.stdin.buffer.read(), trust, datetime.fromisoformat(asked["at"]))
    sys.stdout.write(json.dumps(asdict(found)))


def _certificates(written: list[str]) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one) for one in written)


def _shut_in() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    socket.socket.connect = _refuse  # type: ignore[method-assign]


def _refuse(*_: Any) -> Never:
    raise OSError("This process has no network.")


if __name__ == "__main__":
    main()
