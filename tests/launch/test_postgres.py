"""PostgreSQL of our own: it starts, whatever the last one left behind."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
from console.launch.trouble import Trouble

FAST = {"fsync": "off"}


@pytest.fixture
def server() -> Iterator[Server]:
    """A cluster that nobody started yet, with a short path."""
    folder = Path(os.environ["CLUSTER_DIR"]) / "p" / str(os.getpid())
    passwords = {SUPERUSER: "super ' %", OWNER: "own@/er", SITE: "si te"}
    yield Server(folder / "db", folder / "run", passwords, FAST)
    subprocess.run(["rm", "-rf", folder], check=True)


def started(server: Server) -> "subprocess.Popen[bytes]":
    server.prepare()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(server.command(), stdin=quiet, stdout=quiet, stderr=quiet)
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
        server.make_roles()  # twice equals once
    finally:
        ended(process)


def test_no_committed_row_is_lost_with_a_killed_server(server: Server) -> None:
    process = started(server)
    with psycopg.connect(server.url(OWNER)) as owner:
        owner.execute("CREATE TABLE thing AS SELECT generate_series(1, 500) AS id")
    ended(process)
    process = started(server)  # over the lock file and the socket that it left
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
        assert first.wait(10) is not None
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
