"""Two web hosts behind one proxy: while one restarts or cannot start, the other answers at once."""

import http.client
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from console.launch.setup import ROOT
from tests.apikeys import world
from tests.launch.deployed import Proxy, filled
from tests.proofs import Proven, is_full, proof
from tests.server.wire import HOST, connected
from tests.services import Services, free_port
from tests.waiting import PATIENCE, eventually

CUSTOMERS = "/sandbox/v1/customers"
LONGEST = 2.0  # seconds
# Seconds during which a host cannot start, because its preparation fails.
DOWN = 3.0


class WebHost:
    """The part `web` of one host, as its unit starts it: without the socket unit."""

    def __init__(self, services: Services, log: Path) -> None:
        self.port, self._services, self._log = free_port(), services, log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        said = filled()
        named = ("ALLOWED_HOSTS", "TRUSTED_PROXIES", "BASE_URL", "CHECKOUT_ORIGIN")
        settings = {name: said[name] for name in named}
        settings |= {"HTTPS": "1", "DEMO": "0", "DATABASE_OWNER_URL": "", "SELF_MADE_SEAL": "0"}
        settings |= {"PORT": str(self.port), "DB_POOL": "10"}
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "console.launch.part", "web"],
                cwd=ROOT,
                env=self._services.environment() | settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self) -> None:
        eventually(self._is_ready)

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(PATIENCE)

    def _is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self._log.read_text()[-3000:]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=60) as said:
                return bool(said.status == 200)
        except OSError:
            return False


class Client(threading.Thread):
    """Asks through the proxy without a pause, and notes what was wrong and how long it took."""

    def __init__(self, proxy: Proxy, secret: str) -> None:
        super().__init__(daemon=True)
        self.proxy, self.stopped = proxy, threading.Event()
        self.answers = Counter[str]()
        self.wrong: list[str] = []
        self.longest = 0.0
        self._key = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def run(self) -> None:
        while not self.stopped.wait(0.7):  # all clients share the limit of one key
            body = json.dumps({"legal_name": "Ada Byron"})
            self._ask("GET", "/sign-in/", 200)
            self._ask("GET", CUSTOMERS, 200, **self._key)
            again = {"Idempotency-Key": str(uuid4())}
            self._ask("POST", CUSTOMERS, 201, body, **self._key, **again)

    def _ask(self, method: str, path: str, expected: int, body: str = "", **headers: str) -> None:
        began = time.monotonic()
        to = connected(self.proxy.secure, self.proxy.certificate)
        try:
            to.request(method, path, body, {"Host": HOST, **headers})
            answer = to.getresponse()
            text, status = answer.read(), answer.status
        except (OSError, http.client.HTTPException) as error:
            text, status = repr(error).encode(), 0
        finally:
            to.close()
        took = time.monotonic() - began
        self.longest = max(self.longest, took)
        self.answers[method] += 1
        if status != expected:
            self.wrong.append(f"{method} {path}: {status} after {took:.1f} s: {text[:200]!r}")


@contextmanager
def two_hosts(services: Services, folder: Path) -> Iterator[tuple[Proxy, list[WebHost]]]:
    hosts = [WebHost(services, folder / f"{name}.log") for name in ("a", "b")]
    proxy = Proxy(folder, *(host.port for host in hosts))
    try:
        for host in hosts:
            host.start()
        for host in hosts:
            host.wait()
        proxy.start()
        yield proxy, hosts
    finally:
        proxy.stop()
        for host in hosts:
            host.stop()


@pytest.mark.services
@pytest.mark.check
@proof(
    "R22",
    "two web hosts that restart one after the other, each after a failed preparation",
    full=5,
    asked="no answer slower than 2 s, 0 of them 5xx",
)
def test_the_other_host_answers(proven: Proven, services: Services, tmp_path: Path) -> None:
    grant = world.a_grant(products=("customers",))
    _, secret = world.a_key(grant, scopes=("customers:read", "customers:write"))
    with two_hosts(services, tmp_path) as (proxy, hosts):
        clients = [Client(proxy, secret) for _ in range(2)]
        for client in clients:
            client.start()
        for _ in range(proven.size):
            for host in hosts:
                host.stop()
                time.sleep(DOWN)
                host.start()
                host.wait()
        for client in clients:
            client.stopped.set()
            client.join(PATIENCE)
    wrong = [said for client in clients for said in client.wrong]
    answers = sum((client.answers for client in clients), Counter[str]())
    longest = max(client.longest for client in clients)
    figure = f"{dict(answers)} answers, {len(wrong)} wrong, the slowest after {longest:.2f} s"
    # Beside other tests an answer takes as long as the machine needs.
    in_time = longest < (LONGEST if is_full() else 5 * LONGEST)
    proven.reached(figure, met=in_time and not wrong and min(answers.values()) > 10, wrong=wrong)
