"""During an update the previous release serves beside the new schema and the new release."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from console.launch.postgres import OWNER, SITE
from console.launch.setup import ROOT
from tests.backups.elsewhere import Elsewhere, opened
from tests.databases import as_owner, go_past_triggers
from tests.proofs import Proven, is_full, proof
from tests.server.writers import Answer, Ask
from tests.services import free_port
from tests.waiting import eventually

# What is installed where the update begins: the newest release, or the last commit before it.
PREVIOUS = "d122b8bc5b39a135bbd3b47a8f1ed38eca54ed09"
LONGEST_LOCK = 2.0  # seconds
SIDE_BY_SIDE = 60  # requests to each release while both serve
CLIENTS = 3
CUSTOMERS = "/sandbox/v1/customers"
FIRST_ROWS = "tests/rolling_update/first_rows.py"
A_CUSTOMER = {"legal_name": "Ada Byron"}
FIRST_KEY = 1_000_000  # of the copied rows
# The tables that grow with businesses, and what differs in the copies of their newest row.
_OF = f"{FIRST_KEY} + n"
MULTIPLIED = {
    "accounts_user": {"email": "'many' || n || '@example.com'"},
    "accounts_business": {},
    "onboarding_application": {"business_id": _OF},
    "onboarding_check": {"application_id": _OF},
    "audit_entry": {},
    "events_event": {},
    "events_eventdelivery": {"event_id": _OF, "done_at": "now()"},
}


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    """Return a folder with the code of the previous release."""
    git = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT)]
    known = (
        shutil.which("git")
        and not subprocess.run(
            [*git, "cat-file", "-e", PREVIOUS], capture_output=True, check=False
        ).returncode
    )
    if not known:
        why = f"The previous release, {PREVIOUS[:8]}, is not in this copy's history."
        (pytest.fail if is_full() else pytest.skip)(why)
    folder, packed = tmp_path / "previous", tmp_path / "previous.tar"
    subprocess.run([*git, "archive", "-o", packed, PREVIOUS], check=True)
    shutil.unpack_archive(packed, folder, filter="data")
    return folder


class Web:
    """The web server of one release, and what its users saw."""

    def __init__(self, root: Path, there: Elsewhere, login: dict[str, str]) -> None:
        self.port, self.login = free_port(), login
        self.count, self.wrong = 0, list[str]()
        self._log = there.data / f"{root.name}.log"
        environment = {
            "DATABASE_URL": there.url(SITE), "DATA_DIR": str(there.data), "PORT": str(self.port),
            "WEB_CONCURRENCY": "1",
        }  # fmt: skip
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn"],
                env=os.environ | environment, cwd=root, stdout=log, stderr=log,
            )  # fmt: skip

    def answers(self) -> bool:
        assert self.process.poll() is None, self._log.read_text()[-3000:]
        try:
            return self.ask("GET", "/livez").status < 500
        except OSError:
            return False

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        headers = {"Cookie": f"session={self.login['session']}"}
        if path.startswith("/sandbox"):
            headers = {"Authorization": f"Bearer {self.login['secret']}"}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
        sent = "" if body is None else json.dumps(body)
        return Answer(self.port, Ask(method, path, headers, sent))

    def asked(self, stop: threading.Event) -> None:
        """Ask for pages and calls until told to stop."""
        while not stop.wait(0.5):  # all clients share the limit of one key
            for method, path, body, status in (
                ("GET", "/review/", None, 200),
                ("GET", "/businesses/", None, 200),
                ("GET", CUSTOMERS, None, 200),
                ("POST", CUSTOMERS, A_CUSTOMER, 201),
            ):
                answer = self.ask(method, path, body)
                self.count += 1
                if answer.status != status:
                    self.wrong.append(f"{method} {path}: {answer.status} {answer.text[:300]}")

    def a_customer(self) -> str:
        """Create a customer, and return its id."""
        answer = self.ask("POST", CUSTOMERS, A_CUSTOMER)
        assert answer.status == 201, f"{answer.status} {answer.text[:300]}"
        return str(json.loads(answer.text)["id"])

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let clients use it during the block."""
        stop = threading.Event()
        with ThreadPoolExecutor(CLIENTS) as threads:
            clients = [threads.submit(self.asked, stop) for _ in range(CLIENTS)]
            try:
                yield
            finally:
                stop.set()
        for client in clients:
            client.result()


class LockWaits(threading.Thread):
    """Watches how long the site's connections wait for locks."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database, self.longest, self.stop = database, 0.0, threading.Event()

    def run(self) -> None:
        with as_owner(self.database, autocommit=True) as owner:
            while not self.stop.wait(0.02):
                found = owner.execute(_WAITS, [SITE]).fetchone()
                self.longest = max(self.longest, float(found[0] if found else 0))


_WAITS = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE NOT granted AND usename = %s AND datname = current_database()
"""


@contextmanager
def web(root: Path, there: Elsewhere, login: dict[str, str]) -> Iterator[Web]:
    """Serve with the code in that folder until the end of the block."""
    server = Web(root, there, login)
    try:
        eventually(server.answers)
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


@contextmanager
def lock_waits(database: str) -> Iterator[LockWaits]:
    watcher = LockWaits(database)
    watcher.start()
    try:
        yield watcher
    finally:
        watcher.stop.set()
        watcher.join()


def multiply(there: Elsewhere, count: int) -> None:
    """Insert that many copies of the newest row of each table, past the triggers."""
    with as_owner(there.database) as owner:
        go_past_triggers(owner)
        for table, changes in MULTIPLIED.items():
            new = {"id": f"{FIRST_KEY} + n", "public_id": "'many' || n", **changes}
            members = ", ".join(f"'{name}', {value}" for name, value in new.items())
            owner.execute(f"""
                INSERT INTO {table}
                SELECT (jsonb_populate_record(one, jsonb_build_object({members}))).*
                FROM {table} AS one, generate_series(1, {count}) AS n
                WHERE one.id = (SELECT max(id) FROM {table})
            """)
        # A trigger writes the stage of each business.
        owner.execute(
            "INSERT INTO apikeys_stagedbusiness (business_id, stage) SELECT id, 'new'"
            " FROM accounts_business WHERE id > %s",
            [FIRST_KEY],
        )
    with as_owner(there.database, autocommit=True) as owner:
        owner.execute("ANALYZE")


@pytest.mark.services
@proof("R22", "the previous release beside the new schema and the new web", small=500, full=100_000)
def test_both_releases_serve_during_an_update(
    proven: Proven, previous: Path, tmp_path: Path, transactional_db: None
) -> None:
    with opened(tmp_path) as there:
        there.root = previous
        prepared(there)
        said = there.manage("shell", "-c", (ROOT / FIRST_ROWS).read_text())
        assert said.returncode == 0, said.stderr
        login = json.loads(said.stdout.splitlines()[-1])
        multiply(there, proven.size)
        with (
            web(previous, there, login) as old,
            old.in_use(),
            lock_waits(there.database) as waits,
        ):
            there.root = ROOT
            prepared(there)
            with web(ROOT, there, login) as new, new.in_use():
                enough = old.count + SIDE_BY_SIDE
                eventually(lambda: old.count > enough and new.count > SIDE_BY_SIDE)
                read = [
                    reader.ask("GET", f"{CUSTOMERS}/{writer.a_customer()}").status
                    for reader, writer in ((old, new), (new, old))
                ]
        with as_owner(there.database) as owner:
            go_past_triggers(owner)
            owner.execute("DELETE FROM audit_entry WHERE id > %s", [FIRST_KEY])
        log = there.manage("audit", "verify")

    wrong = [*old.wrong, *new.wrong]
    figure = (
        f"{proven.size:,} applications, {old.count:,} requests to the old web and {new.count:,} to"
        f" the new, {len(wrong)} errors, longest wait for a lock {waits.longest:.2f} s"
    )
    # Beside other tests a lock takes as long as the machine needs.
    in_time = waits.longest < LONGEST_LOCK or not is_full()
    met = in_time and not wrong and log.returncode == 0 and read == [200, 200]
    proven.reached(figure, met=met, wrong=[*wrong[:20], log.stderr, read])


def prepared(there: Elsewhere) -> None:
    """Migrate with the release of that folder, and publish what it ships."""
    migrated = there.manage("migrate", "--verbosity=0", DATABASE_URL=there.url(OWNER))
    assert migrated.returncode == 0, migrated.stderr
    published = there.manage("publish", "begin")
    assert published.returncode == 0, published.stderr
