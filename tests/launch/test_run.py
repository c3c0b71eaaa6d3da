"""`make run` itself: from an empty folder to a page, through kills, to a clean end."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from benchmarks.memory import MOST_MIB, parts
from console.launch.data_folder import DataFolder
from console.launch.setup import ROOT
from tests.services import free_port
from tests.waiting import FIRST_START, PATIENCE, eventually

pytestmark = pytest.mark.services

# Variables that only the test suite sets.
OURS = (
    *("DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL", "SECRET_KEY", "KEY_PEPPER", "HTTPS"),
    *("VAULT_KEYS", "STATICFILES_STORAGE", "MAKELEVEL"),
)
OUTLIVING = """
import os
from console.launch.data_folder import DataFolder
os.environ.update(DataFolder.named_by_the_environment().environment())
import django
django.setup()
from django.db import transaction
from api.demo import people
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.audit import log as audit
person = User(email=people.EVERYONE[0].email, name=people.EVERYONE[0].name)
person.set_password("published")
with transaction.atomic():
    person.save()
    audit.record("test.added", person, by=SYSTEM)
"""


class Console:
    """A data folder, a port, and the commands that a person would run."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        return {**kept, "DATA_DIR": str(self.data), "PORT": str(self.port), "DEMO": "0"}

    def run(self, **variables: str) -> None:
        """Start the console and wait until it is running."""
        with (self.data.parent / "said").open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "console.launch.run"],
                cwd=ROOT,
                env=self.environment() | variables,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        eventually(lambda: "Running." in self.said() or self.has_ended(), within=FIRST_START)
        assert not self.has_ended(), self.said()

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def said(self) -> str:
        return (self.data.parent / "said").read_text()

    def answers(self, path: str = "/") -> int:
        address = f"http://localhost:{self.port}{path}"
        try:
            with urllib.request.urlopen(address, timeout=30) as page:
                return int(page.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def command(
        self, module: str, *words: str, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", module, *words],
            cwd=ROOT,
            env=self.environment() | variables,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def part(self, name: str) -> int:
        """Return the process ID of a part, or 0 if it is not running."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return next((child for child in map(int, children.split()) if name_of(child) == name), 0)

    def has_another(self, name: str, killed: int) -> bool:
        return self.part(name) not in (0, killed)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    """Yield a console that is not started yet."""
    found = Console(tmp_path / "data")
    yield found
    if found.process is not None and not found.has_ended():
        found.process.send_signal(signal.SIGTERM)
        found.process.wait(PATIENCE)


def name_of(pid: int) -> str:
    """Return a process's name, or "" if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def outlive_the_demo(console: Console) -> None:
    """Add a demo user, whose password is public, as if the demo world had not been ended."""
    subprocess.run(
        [sys.executable, "-c", OUTLIVING], cwd=ROOT, env=console.environment(), check=True
    )


def _has_told(bank: int) -> bool:
    """Tell whether the bank has told the console of the demo's payments."""
    with urllib.request.urlopen(f"http://127.0.0.1:{bank}/", timeout=30) as page:
        text = page.read().decode()
    return text.count("deposit.received") == 2 and "202" in text


def test_it_loads_the_demo_world_as_a_newcomer_meets_it(console: Console) -> None:
    """Every step in a transaction of its own, with the site's database role."""
    bank = free_port()
    console.run(DEMO="1", PROVIDER_PORT=str(bank))
    assert f"http://127.0.0.1:{bank}" in console.said()
    # What its live business was paid has arrived at the simulated bank, and at the console.
    eventually(partial(_has_told, bank), within=PATIENCE)

    printed = console.command("console.launch.demo", "json", DEMO="1")

    assert printed.returncode == 0, printed.stderr
    stages = [business["stage"] for business in json.loads(printed.stdout)["businesses"]]
    assert sorted(stages) == [
        "draft", "executed", "executed", "in_approval", "in_review", "not_started",
        "partly_signed", *["submitted"] * 8,
    ]  # fmt: skip


def test_it_starts_survives_every_kill_and_goes_on_where_it_was(console: Console) -> None:
    console.run()
    assert console.answers() == 200
    secrets = (console.data / "secrets.json").read_text()

    second = console.command("console.launch.run", PORT=str(console.port + 1))
    assert second.returncode == 1
    assert f"already runs from {console.data}" in second.stderr
    taken = console.command("console.launch.run", DATA_DIR=str(console.data.parent / "other"))
    assert f"Port {console.port} cannot be used" in taken.stderr
    reset = console.command("console.launch.reset", DEMO="1")
    assert "stop it with Ctrl-C" in reset.stderr

    assert console.process is not None
    # It has started everything, and no job has imported more yet.
    assert sum(parts(console.process.pid).values()) < MOST_MIB

    for part in ("postgres", "valkey-server", "web", "worker", "beat", "deliver"):
        killed = console.part(part)
        assert killed, part
        os.kill(killed, signal.SIGKILL)
        eventually(partial(console.has_another, part, killed), within=120)
    # Recovering, the database takes longer to start than the web.
    eventually(lambda: console.answers("/readyz") == 200, within=120)

    outlive_the_demo(console)
    console.process.kill()  # also ends all its parts
    console.process.wait()

    refused = console.command("console.launch.run")
    assert refused.returncode == 1
    assert "1 people of the demo world can still sign in" in refused.stdout + refused.stderr
    assert console.answers() == 0

    ended = console.command("console.launch.manage", "demo", "end")  # while nothing else runs
    assert ended.returncode == 0, ended.stderr
    assert "Nobody of the demo world can sign in" in ended.stdout
    assert console.command("console.launch.manage", "nonsense").returncode == 1
    assert not (console.data / "postgres" / "postmaster.pid").exists()

    console.run()
    assert console.answers() == 200
    assert (console.data / "secrets.json").read_text() == secrets
    console.process.send_signal(signal.SIGINT)
    assert console.process.wait(PATIENCE) == 0
    assert "Stopped." in console.said()
    sockets = f"access-console-{os.geteuid()}-{DataFolder(console.data).mark}"
    assert not Path("/tmp", sockets).exists()

    assert console.command("console.launch.reset").returncode == 1  # refused with DEMO=0
    assert console.command("console.launch.reset", DEMO="1").returncode == 0
    assert [path.name for path in console.data.iterdir()] == ["running.lock"]
