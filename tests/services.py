"""Real programs for tests marked `services`: broker, worker, beat and web, on the test database.

    @pytest.mark.services
    def test_a_killed_worker_loses_nothing(services: Services) -> None:
        services.start("broker", "worker", "beat")
        ...
        services.kill("worker")
        services.start("worker")

All programs end with the test, and with pytest if that is killed.
"""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from console.launch import programs
from console.launch.postgres import SITE
from console.launch.valkey import Broker
from tests.waiting import PATIENCE


class Services:
    """The programs of one test, by name; each may get environment variables."""

    def __init__(self) -> None:
        self.folder = Path(os.environ["DATA_DIR"]).parent
        self.broker = Broker(self.folder / "broker", self.folder)
        self.port = free_port()
        # Web processes: tests about a single process need no more.
        self.web_processes = 1
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        """Return the URL of the web server."""
        return f"http://localhost:{self.port}"

    def start_web_as_shipped(self, **variables: str) -> None:
        """Start as many web processes as `make run` does, with as many connections."""
        self.web_processes = 2
        self.start("web", DB_POOL=str(programs.WEB_POOL), **variables)

    def start(self, *names: str, **variables: str) -> None:
        """Start programs of `broker`, `worker`, `beat`, `web`, and wait until all are ready."""
        for name in names:
            assert not self.is_running(name), f"{name} is running already"
            if name == "broker":
                self.broker.prepare()
            with self.log_of(name).open("wb") as log:
                self.processes[name] = subprocess.Popen(
                    self._programs()[name][0],
                    env=self.environment() | variables,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            if name == "broker":  # the others need it at once
                self._wait(name)
        for name in names:
            self._wait(name)

    def kill(self, name: str) -> None:
        """Kill a program and its children at once, like a power cut."""
        process = self.processes[name]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self, name: str) -> None:
        """Stop a program, and wait until it has ended."""
        process = self.processes[name]
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            self.kill(name)

    def stop_all(self) -> None:
        for name in reversed(self.processes):
            self.kill(name)

    def is_running(self, name: str) -> bool:
        return name in self.processes and self.processes[name].poll() is None

    def log_of(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def environment(self) -> dict[str, str]:
        """Return this test's settings, with the site's role on the test database."""
        at = connection.settings_dict
        database = f"postgres://{SITE}:{at['PASSWORD']}@/{at['NAME']}?host={at['HOST']}"
        here = {
            "DATABASE_URL": database,
            "PORT": str(self.port),
            "WEB_CONCURRENCY": str(self.web_processes),
            "DATA_DIR": str(settings.DATA_DIR),
        }
        return dict(os.environ) | here

    def _programs(self) -> dict[str, tuple[list[str], Callable[[], bool]]]:
        schedule = self.folder / "beat-schedule"
        return {
            "broker": (self.broker.command(), self._broker_answers),
            "worker": (programs.worker(), lambda: self._said("worker", " ready.")),
            "beat": (programs.beat(schedule), lambda: self._said("beat", "beat: Starting")),
            "deliver": (programs.deliver(), lambda: self._said("deliver", "dispatcher_started")),
            "web": (programs.web(), self._web_answers),
        }

    def _wait(self, name: str) -> None:
        ready, until = self._programs()[name][1], time.monotonic() + PATIENCE
        while not ready():
            if not self.is_running(name) or time.monotonic() > until:
                said = self.log_of(name).read_text(errors="replace")
                pytest.fail(f"{name} does not start:\n{said[-3000:]}")
            time.sleep(0.05)

    def _said(self, name: str, words: str) -> bool:
        return words in self.log_of(name).read_text(errors="replace")

    def _broker_answers(self) -> bool:
        """Tell whether it takes commands, which it does not while it loads its data."""
        try:
            with socket.socket(socket.AF_UNIX) as trial:
                trial.connect(str(self.broker.socket))
                trial.sendall(b"PING\r\n")
                return trial.recv(5) == b"+PONG"
        except OSError:
            return False

    def _web_answers(self) -> bool:
        try:
            urllib.request.urlopen(self.url, timeout=10).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True


@pytest.fixture
def services(transactional_db: None) -> Iterator[Services]:
    """Real programs that use what this test commits."""
    beside = Services()
    yield beside
    beside.stop_all()
    beside.broker.socket.unlink(missing_ok=True)


def free_port() -> int:
    """Return a free port, outside the kernel's range for outgoing connections if there is one."""
    lowest, *_ = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    while True:
        port = secrets.choice(range(10_000, max(int(lowest), 20_000)))
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port
