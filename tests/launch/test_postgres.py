"""The managed PostgreSQL server starts, whatever the previous one left behind."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from console.launch.errors import Trouble
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
from tests.launch import private_root
from tests.waiting import eventually

pytestmark = pytest.mark.check

FAST = {"fsync": "off"}


@pytest.fixture
def server() -> Iterator[Server]:
    """Yield a cluster that is not started yet, with a short path."""
    folder = Path(os.environ["CLUSTER_DIR"]) / "p" / str(os.getpid())
    passwords = {SUPERUSER: "super ' %", OWNER: "own@/er", SITE: "si te"}
    yield Server(folder / "db", folder / "run", passwords, FAST)
    subprocess.run(["rm", "-rf", folder], check=True)


def started(server: Server, log: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
    server.prepare()
    process = subprocess.Popen(server.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    server.wait(process)
    server.make_roles()
    return process


def ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


def test_the_site_owns_nothing_and_the_owner_everything(server: Server) -> None:
    process = started(server)
    try:
        with psycopg.connect(server.url(OWNER)) as owner:
            owner.execute("CREATE TABLE thing (id int)")
            for extension in ("btree_gist", "pg_trgm"):
                owner.execute(f"CREATE EXTENSION {extension}")
        with psycopg.connect(server.url(SITE)) as site:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute("CREATE TABLE mine (id int)")
            site.rollback()
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute("SELECT * FROM thing")
        server.make_roles()  # must be repeatable
    finally:
        ended(process)


def test_no_committed_row_is_lost_with_a_killed_server(server: Server) -> None:
    process = started(server)
    with psycopg.connect(server.url(OWNER)) as owner:
        owner.execute("CREATE TABLE thing AS SELECT generate_series(1, 500) AS id")
    ended(process)
    process = started(server)  # despite the lock file and socket left behind
    try:
        with psycopg.connect(server.url(OWNER)) as owner:
            count = owner.execute("SELECT count(*) FROM thing").fetchone()
        assert count == (500,)
    finally:
        ended(process)


def test_a_server_that_outlived_its_launcher_is_ended(server: Server) -> None:
    first = started(server)
    second = started(server)
    try:
        assert first.wait(60) is not None
        assert second.poll() is None
    finally:
        ended(second)


def test_a_lock_file_that_names_somebody_else_is_no_obstacle(server: Server) -> None:
    ended(started(server))
    (server.data / "postmaster.pid").write_text(f"{os.getpid()}\n{server.data}\n")
    ended(started(server))


def test_data_of_another_version_are_left_alone(server: Server) -> None:
    ended(started(server))
    (server.data / "PG_VERSION").write_text("9\n")
    with pytest.raises(Trouble, match=r"made by PostgreSQL 9 .* pg_dump"):
        server.prepare()


# Root in a container without user namespaces, with everything in a folder closed to other users

CLOSED = "/opt/closed/check out"
SERVE = """
import os, pathlib, subprocess, sys
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
os.chmod("/opt/closed", 0o700)
here = pathlib.Path("/opt/closed/data")
server = Server(here / "db", here / "run", dict.fromkeys((OWNER, SITE, SUPERUSER), "secret"))
server.prepare()
process = subprocess.Popen(server.command())
server.wait(process)
server.make_roles()
print("served by user", pathlib.Path(f"/proc/{process.pid}").stat().st_uid)
process.kill()
process.wait()
"""


@private_root.needs_mounts
def test_root_runs_it_from_a_closed_folder_without_namespaces(tmp_path: Path) -> None:
    python = f"{CLOSED}/.venv/bin/python"
    words = ("env", "--chdir", CLOSED, python, "-c", SERVE)
    done = private_root.run(tmp_path, *words, checkout=CLOSED)
    assert done.stdout == "served by user 65534\n", done.stderr


# The log

TYPED = "whatanybodytyped"


def fail_in_every_way(server: Server) -> None:
    """Run failing statements that contain typed values, and end two while they run."""
    with psycopg.connect(server.url(OWNER), autocommit=True) as owner:
        owner.execute(f"CREATE TABLE thing (name text UNIQUE CHECK (name <> '{TYPED}!'))")
        owner.execute("INSERT INTO thing VALUES (%s)", [TYPED])
        for statement, value in (
            ("INSERT INTO thing VALUES (%s)", TYPED),
            ("INSERT INTO thing VALUES (%s)", f"{TYPED}!"),
            ("SELECT %s::int", TYPED),
            (f"SELECT {TYPED} FROM thing WHERE name = %s", TYPED),
        ):
            with pytest.raises(psycopg.Error):
                owner.execute(statement, [value])
    # The server logs the statement of a process that it terminates or that dies.
    for end in (lambda pid, admin: admin.execute("SELECT pg_terminate_backend(%s)", [pid]), kill):
        end_running(server, end)


def kill(pid: int, _: psycopg.Connection) -> None:
    os.kill(pid, signal.SIGKILL)


def end_running(server: Server, end: Callable[[int, psycopg.Connection], object]) -> None:
    """Run a statement and end the server process that runs it."""
    with psycopg.connect(server.url(OWNER), autocommit=True) as owner, ThreadPoolExecutor() as pool:
        pid = owner.info.backend_pid
        running = pool.submit(owner.execute, f"SELECT pg_sleep(60), '{TYPED}'")
        with psycopg.connect(server.url(SUPERUSER, "postgres"), autocommit=True) as admin:
            asked = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
            eventually(lambda: admin.execute(asked, [pid]).fetchone())
            end(pid, admin)
            with pytest.raises(psycopg.OperationalError):
                running.result(30)


def logged(server: Server) -> str:
    """Return the server's log after every kind of failure."""
    path = server.data.parent / "postgres.log"
    path.parent.mkdir(parents=True)
    with path.open("wb") as log:
        process = started(server, log.fileno())
    try:
        fail_in_every_way(server)
        eventually(lambda: "terminated by signal 9" in path.read_text())
    finally:
        ended(process)
    return path.read_text()


def test_what_was_typed_into_a_statement_that_fails_stands_in_no_log(server: Server) -> None:
    assert TYPED not in logged(server)
