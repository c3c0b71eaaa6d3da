"""Hold many connections open with requests that never end, in a separate process.

`python -m tests.server.attack PORT CERTIFICATE COUNT` opens COUNT half-sent requests and half as
many of other kinds, and prints "ready". It reopens connections that are closed, and prints the
responses when its input ends.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.server.wire import HOST, head, trusting

if TYPE_CHECKING:
    from tests.launch.deployed import Proxy

SIDES = ("/sign-in/", "/sandbox/v1/me")
_DRIP_SECONDS = 5.0
# Stay below the proxy's limit of 100 connections per address.
_FROM_ONE_ADDRESS = 50
# With a CSRF cookie, the console looks for the token in the body, which never arrives completely.
_FORM = (
    f"Cookie: csrf={'a' * 32}; __Host-csrf={'a' * 32}",
    "Content-Type: application/x-www-form-urlencoded",
)


def kinds(path: str) -> dict[str, bytes]:
    """Return the first bytes that each kind of attacker sends."""
    return {
        "half": head("POST", path, *_FORM, "Content-Length: 100") + b"abcdef",
        "drip": head("POST", path, *_FORM, "Content-Length: 1000"),
        "chunk": head("POST", path, *_FORM, "Transfer-Encoding: chunked") + b"5\r\nab",
        "headers": f"POST {path} HTTP/1.1\r\nHost: local".encode(),
        "silence": b"",
    }


class Attackers:
    """All attacking connections, and the responses they got."""

    def __init__(self, port: int, certificate: str) -> None:
        self.port = port
        self.trust = trusting(certificate)
        self.opened = 0
        self.told: Counter[str] = Counter()

    async def hold(self, kind: str, path: str, address: str) -> None:
        """Start a request and never finish it; start again whenever the connection closes."""
        while True:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1",
                self.port,
                ssl=self.trust,
                server_hostname=HOST,
                local_addr=(address, 0),
            )
            writer.write(kinds(path)[kind])
            self.opened += 1
            drip = asyncio.create_task(self._drip(writer)) if kind == "drip" else None
            with contextlib.suppress(OSError):
                answer = await reader.read()
                self.told[answer[9:12].decode() or "closed"] += 1
            if drip:
                drip.cancel()
            writer.close()

    async def _drip(self, writer: asyncio.StreamWriter) -> None:
        while True:
            await asyncio.sleep(_DRIP_SECONDS)
            writer.write(b"x")

    async def all(self, count: int) -> None:
        held = []
        for number in range(count):
            address = f"127.0.2.{number // _FROM_ONE_ADDRESS + 1}"
            held.append(asyncio.create_task(self.hold("half", SIDES[number % 2], address)))
            if number % 2:
                other = ("drip", "chunk", "headers", "silence")[number // 2 % 4]
                held.append(asyncio.create_task(self.hold(other, SIDES[number // 8 % 2], address)))
        while self.opened < len(held):
            await asyncio.sleep(0.05)
        _say("ready")
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        _say(json.dumps({"opened": self.opened, "told": self.told}))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextlib.contextmanager
def attacked(proxy: "Proxy", count: int, found: dict[str, object]) -> Iterator[None]:
    """Attack while the block runs; put the attackers' counts into `found`."""
    words = [sys.executable, "-m", "tests.server.attack"]
    words += [str(proxy.secure), proxy.certificate, str(count)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield
        process.stdin.close()
        found.update(json.loads(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    asyncio.run(Attackers(int(sys.argv[1]), sys.argv[2]).all(int(sys.argv[3])))
