"""A client that requests pages and API calls repeatedly in its own process, and times them."""

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tests.server.wire import HOST, connected

if TYPE_CHECKING:
    from tests.launch.deployed import Proxy

# Stop after this many wrong responses.
_ENOUGH = 10
# Keeps a fast machine below the sandbox's limit of ten calls a second for each operation.
_ROUND_SECONDS = 0.125

Took = dict[str, list[float]]


@dataclass(frozen=True)
class Ask:
    """One address, the side it belongs to, and the status that it must answer."""

    side: str
    path: str
    status: int = 200
    header: str = ""
    value: str = ""


@dataclass(frozen=True)
class Asked:
    """Response times in seconds by side, and the responses with a wrong status."""

    took: Took
    wrong: list[str]

    @property
    def answers(self) -> int:
        return sum(map(len, self.took.values()))

    def p99(self, side: str) -> float:
        ordered = sorted(self.took[side])
        return ordered[int(len(ordered) * 0.99)]


class Asking:
    """Runs the client against a test's proxy for a number of seconds."""

    def __init__(self, proxy: "Proxy", asks: Sequence[Ask], seconds: float) -> None:
        place = {"port": proxy.secure, "certificate": proxy.certificate}
        order = {"seconds": seconds, "asks": [asdict(ask) for ask in asks]} | place
        words = [sys.executable, "-m", "tests.server.asking", json.dumps(order)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )

    def done(self) -> Asked:
        said, _ = self._process.communicate(timeout=180)
        assert self._process.returncode == 0
        return Asked(**json.loads(said))


def _answer(port: int, certificate: str, ask: Ask) -> int:
    """Send a request on a new connection, as a new visitor does; return the status, 0 on error."""
    headers = {"Host": HOST} | ({ask.header: ask.value} if ask.header else {})
    try:
        with closing(connected(port, certificate)) as connection:
            connection.request("GET", ask.path, headers=headers)
            with connection.getresponse() as response:
                response.read()
                return response.status
    except OSError:
        return 0


def main() -> None:
    order = json.loads(sys.argv[1])
    asks = [Ask(**each) for each in order["asks"]]
    took: Took = defaultdict(list)
    wrong: list[str] = []
    until = time.monotonic() + order["seconds"]
    while time.monotonic() < until and len(wrong) < _ENOUGH:
        ends = time.monotonic() + _ROUND_SECONDS
        for ask in asks:
            began = time.perf_counter()
            status = _answer(order["port"], order["certificate"], ask)
            took[ask.side].append(time.perf_counter() - began)
            if status != ask.status:
                wrong.append(f"{ask.path} answered {status}")
        time.sleep(max(0.0, ends - time.monotonic()))
    json.dump({"took": took, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
