"""Businesses walk at once while every part is killed in turn: all are executed, each once."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from console.launch.data_folder import DataFolder
from console.launch.postgres import SITE
from console.launch.setup import ROOT
from tests import factories
from tests.events.smtp_server import SmtpServer
from tests.flows import chaos, chaos_world
from tests.flows.chaos import AnswersGot, BusinessWalk, Retrier
from tests.launch.test_run import Console
from tests.proofs import Proven, is_full, proof
from tests.server import small_disks
from tests.services import Services
from tests.waiting import eventually

# Seconds: for a stopped broker, for a full disk, and between two faults.
STOPPED, FULL, BETWEEN = 25, 20, 6
MOST_SECONDS_TO_DRAIN = 30
# No register and no list is asked, so a reviewer decides every check.
REVIEWED = {
    "CHECK_PROVIDERS": "registry=reviewer,screening=reviewer,signatory=reviewer,owners=reviewer"
}
MOST_REPEATED = 1
# The owner of each business gets each of these once.
SUBJECTS = (
    "We have received your answers",
    "Your agreements are ready to read and sign",
    "Your agreements are executed",
)
# Three approvals and the countersignature.
DECISIONS = 4
EXECUTED = "SELECT count(*) FROM agreements_pack WHERE status = 'executed'"
WAITING = "SELECT count(*) FROM events_eventdelivery WHERE done_at IS NULL"
# Each of these happens once to each business.
ONCE = (
    *("application.submitted", "application.cleared", "application.executed", "pack.generated"),
    *("pack.signed", "pack.approved", "pack.countersigning", "pack.executed", "grant.open"),
)


@dataclass(frozen=True)
class PartFault:
    """A fault from its begin to its mend, and whether it takes away who answers pages."""

    name: str
    happen: Callable[[], object]
    may_be_silent: bool = False


class PartsOfATest:
    """Parts on the test's database."""

    def __init__(self, services: Services, mail: SmtpServer) -> None:
        self.services, self.settings = services, mail.environment | REVIEWED

    @property
    def url(self) -> str:
        return self.services.url

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        self.services.start("broker", "worker", "beat", "web", **self.settings)
        yield

    def world(self, count: int) -> dict[str, Any]:
        factories.checked_seal()
        return chaos_world.world(count)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.services.environment()["DATABASE_URL"]) as site:
            return site.execute(query).fetchall()

    def faults(self) -> list[PartFault]:
        return [
            PartFault("worker", self._kill_the_worker),
            PartFault("emptied broker", lambda: chaos.empty(self.services.broker.url)),
        ]

    def verify(self) -> str:
        words = [sys.executable, "manage.py", "audit", "verify"]
        environment = self.services.environment() | self.settings
        return _failure(subprocess.run(words, env=environment, cwd=ROOT, **_TEXT))

    def _kill_the_worker(self) -> None:
        self.services.kill("worker")
        self.services.start("worker", **self.settings)


class WholeConsole(Console):
    """Everything that `make run` starts, with documents on a disk of their own."""

    def __init__(self, data: Path, mail: SmtpServer) -> None:
        super().__init__(data)
        self.settings = mail.environment | REVIEWED

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def place(self) -> DataFolder:
        return DataFolder(self.data)

    def environment(self) -> dict[str, str]:
        return super().environment() | self.settings

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        with small_disks.mounted(self.data / "blobs", 1024):
            self.run()
            try:
                yield
            finally:
                assert self.process is not None
                self.process.send_signal(signal.SIGTERM)
                self.process.wait(60)

    def world(self, count: int) -> dict[str, Any]:
        made = self.command("tests.flows.chaos_world", str(count))
        assert made.returncode == 0, made.stderr[-3000:]
        found: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
        return found

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.place.database().url(SITE)) as site:
            return site.execute(query).fetchall()

    def faults(self) -> list[PartFault]:
        return [
            PartFault("worker", lambda: self._kill("worker")),
            PartFault(
                "worker's children", lambda: chaos.kill(*chaos.children(self.part("worker")))
            ),
            PartFault("beat", lambda: self._kill("beat")),
            PartFault("broker", lambda: self._kill("valkey-server")),
            PartFault("database", lambda: self._kill("postgres")),
            PartFault("emptied broker", lambda: chaos.empty(self.place.broker().url)),
            PartFault("web workers", self._kill_web_workers, may_be_silent=True),
            PartFault("stopped broker", self._stop_the_broker),
            PartFault("full disk", self._fill_the_disk),
            PartFault("supervisor", self._kill_the_supervisor, may_be_silent=True),
            PartFault("web", lambda: self._kill("web"), may_be_silent=True),
            PartFault("everything", self._kill_everything, may_be_silent=True),
        ]

    def verify(self) -> str:
        return _failure(self.command("console.launch.manage", "verify"))

    def _kill(self, name: str) -> None:
        """Kill a part, and wait until it has another process and pages are answered."""
        chaos.kill(killed := self.part(name))
        eventually(lambda: self.has_another(name, killed))
        eventually(lambda: self.answers("/readyz") == 200)

    def _kill_web_workers(self) -> None:
        chaos.kill(*chaos.children(self.part("web")))
        eventually(lambda: self.answers("/readyz") == 200)

    def _stop_the_broker(self) -> None:
        broker = self.part("valkey-server")
        os.kill(broker, signal.SIGSTOP)
        time.sleep(STOPPED)
        os.kill(broker, signal.SIGCONT)

    def _fill_the_disk(self) -> None:
        with small_disks.full(self.data / "blobs"):
            time.sleep(FULL)

    def _kill_the_supervisor(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.run()

    def _kill_everything(self) -> None:
        assert self.process is not None
        chaos.kill(*chaos.tree(self.process.pid))
        self.process.wait()
        self.run()


_TEXT: dict[str, Any] = {"capture_output": True, "text": True, "check": False}


def _failure(done: "subprocess.CompletedProcess[str]") -> str:
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.fixture
def mail() -> Iterator[SmtpServer]:
    server = SmtpServer()
    server.speaks.set()
    yield server
    server.close()


@pytest.fixture
def installation(
    services: Services, mail: SmtpServer, tmp_path: Path
) -> "PartsOfATest | WholeConsole":
    return WholeConsole(tmp_path / "data", mail) if is_full() else PartsOfATest(services, mail)


class ChaosWalk:
    """The walks, and the faults that happen during them."""

    def __init__(self, there: PartsOfATest | WholeConsole, count: int) -> None:
        self.there, self.answers = there, AnswersGot()
        made = there.world(count)
        self.emails = [case["email"] for case in made["cases"]]
        staff = {who: self._person(said) for who, said in made["staff"].items()}
        self.walks = [BusinessWalk(case, self._person(case), staff) for case in made["cases"]]
        self.moved: dict[str, float] = {}

    def _person(self, said: dict[str, str]) -> Retrier:
        return Retrier(self.there.url, said["session"], said["seed"], self.answers)

    def go(self) -> None:
        """Walk and break; then measure how long the rest of the work takes."""
        with ThreadPoolExecutor(len(self.walks)) as threads:
            walks = [threads.submit(walk.go) for walk in self.walks]
            time.sleep(BETWEEN)
            for fault in self.there.faults():
                self._break(fault)
                time.sleep(BETWEEN)
        for walk in walks:
            walk.result()
        began = time.monotonic()
        eventually(lambda: self.there.rows(WAITING) == [(0,)])
        self.drained = time.monotonic() - began

    def _break(self, fault: PartFault) -> None:
        self.answers.fault, self.answers.may_be_silent = fault.name, fault.may_be_silent
        fault.happen()
        began = time.monotonic()
        [(last,)] = self.there.rows("SELECT now()")
        done = f"SELECT FROM events_eventdelivery WHERE done_at > '{last.isoformat()}' LIMIT 1"
        eventually(lambda: self.there.rows(done) or self.there.rows(WAITING) == [(0,)])
        self.moved[fault.name] = time.monotonic() - began
        self.answers.fault, self.answers.may_be_silent = f"after {fault.name}", False


def broken_counts(there: PartsOfATest | WholeConsole, count: int) -> list[str]:
    """Return what did not happen to every business, or happened more than once."""
    kinds = "SELECT kind, count(*), count(DISTINCT subject_id) FROM events_event GROUP BY kind"
    found = {kind: (times, subjects) for kind, times, subjects in there.rows(kinds)}
    wrong = [f"{kind}: {found.get(kind)}" for kind in ONCE if found.get(kind) != (count, count)]
    for query, expected in (
        ("agreements_pack", count),
        ("agreements_pack WHERE status = 'executed'", count),
        ("agreements_signatureact", count),
        ("agreements_decision", DECISIONS * count),
        ("apikeys_grant WHERE opened_at IS NOT NULL", count),
    ):
        [(rows,)] = there.rows(f"SELECT count(*) FROM {query}")  # queries above
        wrong += [] if rows == expected else [f"{query}: {rows} rows instead of {expected}"]
    return wrong


def heads(mail: SmtpServer) -> list[tuple[str, str, str]]:
    """Return the recipient, subject and Message-ID of each e-mail that was sent."""
    return [(one["To"], one["Subject"], one["Message-ID"]) for one in mail.mails()]


def broken_mail(sent: list[tuple[str, str, str]], emails: list[str]) -> list[str]:
    """Return owners' e-mails that are missing, or came with several Message-IDs."""
    found = Counter((to, subject) for to, subject, _id in set(sent))
    expected = [(to, subject) for to in emails for subject in SUBJECTS]
    return [
        f"{to}: {found[to, about]} x {about}" for to, about in expected if found[to, about] != 1
    ]


@pytest.mark.services
@proof("R31", "the walk while every part is killed", small=1, full=12)
def test_every_business_is_executed_once_whatever_is_killed(
    proven: Proven, installation: PartsOfATest | WholeConsole, mail: SmtpServer
) -> None:
    with installation.running():
        walks = ChaosWalk(installation, proven.size)
        walks.go()
        [(executed,)] = installation.rows(EXECUTED)
        counts = broken_counts(installation, proven.size)
        log = installation.verify()
    sent = heads(mail)
    letters = broken_mail(sent, walks.emails)
    repeated, slowest = len(sent) - len(set(sent)), max(walks.moved.values())
    answers, unavailable = walks.answers, walks.answers.by_kind["503"]
    figure = (
        f"{executed} of {proven.size} executed, {len(counts)} counts wrong, {len(letters)} e-mails "
        f"lost or with another id, {repeated} repeated, {len(walks.moved)} faults, work went on "
        f"after {slowest:.0f} s at most, drained in {walks.drained:.0f} s, "
        f"{answers.by_kind.total()} requests, {unavailable} answered as unavailable, "
        f"{len(answers.wrong)} wrong"
    )
    wrong = [*answers.wrong, *counts, *letters, log]
    # A small run shares its machine, where starting a worker alone can take that long.
    in_time = not is_full() or max(slowest, walks.drained) <= MOST_SECONDS_TO_DRAIN
    met = executed == proven.size and in_time and repeated <= MOST_REPEATED and not any(wrong)
    proven.reached(figure, met=met, wrong=[*wrong, walks.moved])
