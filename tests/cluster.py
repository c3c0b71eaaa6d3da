"""A temporary PostgreSQL and a complete environment, before Django loads its settings.

Loaded with `-p tests.cluster`. Under pytest-xdist only the controller starts a server; its workers
inherit the environment and create a database each.
"""

import atexit
import base64
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import psycopg
import pytest

from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
from console.launch.valkey import Broker

pytest_plugins = ["tests.proofs", "tests.services"]

# The data are temporary, so nothing needs to reach a disk.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "128MB",
    "autovacuum": "off",
    # A thread of a test's live server keeps one for each connection of each of its browsers.
    "max_connections": "300",
}
_NAME = "console-tests-"
_worker = os.environ.get("PYTEST_XDIST_WORKER")
_server: Server | None = None
_process: "subprocess.Popen[bytes] | None" = None


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more worker than cores, since a third of the suite's time is waiting."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Set the environment before pytest-django loads the settings."""
    global _server
    if _worker:
        folder = Path(os.environ["CLUSTER_DIR"])
        os.environ.update(folders(folder, _worker))
    else:
        _sweep()
        folder = Path(tempfile.mkdtemp(prefix=f"{_NAME}{os.getpid()}-", dir=_memory()))
        # Not at the end of the session, because a live server's threads write until the very end.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        # One password for all roles, so a test can switch roles by changing the user name.
        passwords = dict.fromkeys((SUPERUSER, OWNER, SITE), secrets.token_urlsafe(12))
        _server = Server(folder / "db", folder / "run", passwords, FAST)
        os.environ.update(environment(_server) | folders(folder, "main"))
        os.environ["CLUSTER_DIR"] = str(folder)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the server; the xdist workers start after this."""
    global _process
    if _server is None or session.config.option.collectonly:
        return
    _server.prepare()
    with (_server.data.parent / "postgres.log").open("wb") as log:
        _process = subprocess.Popen(
            _server.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0
        )
    atexit.register(_stop, _process)
    _server.wait(_process)
    _server.make_roles()
    with psycopg.connect(_server.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        # The owner empties tables between tests, past the triggers that forbid it.
        connection.execute("GRANT SET ON PARAMETER session_replication_role TO owner")


def folders(cluster: Path, worker: str) -> dict[str, str]:
    """Return the settings that each of several test processes has for itself."""
    data = cluster / worker / "data"
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "DATA_DIR": str(data),
        # Nothing listens until a test starts the broker: see tests/services.py.
        "BROKER_URL": Broker(cluster / worker / "broker", cluster / worker).url,
    }


def environment(server: Server) -> dict[str, str]:
    """Return the other settings of a test run: the owner's database and new secrets."""
    return {
        "DATABASE_URL": server.url(OWNER),
        "SITE_DATABASE_URL": server.url(SITE),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "KEY_PEPPER": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "VAULT_KEYS": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "DEMO": "1",
        "HTTPS": "0",
        "SELF_MADE_SEAL": "1",
        "PORT": "8000",
        "ALLOWED_HOSTS": ".localhost,127.0.0.1,[::1],testserver",
        "STATICFILES_STORAGE": "django.contrib.staticfiles.storage.StaticFilesStorage",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",  # Playwright keeps an event loop in the test's thread
    }


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGQUIT)
    process.wait()


def _memory() -> Path:
    """Return a folder in memory if there is one."""
    shared = Path("/dev/shm")
    return shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())


def _sweep() -> None:
    """Remove the folders of test runs that were killed."""
    for folder in _folders_of_the_dead():
        shutil.rmtree(folder, ignore_errors=True)


def _folders_of_the_dead() -> Iterator[Path]:
    for folder in _memory().glob(f"{_NAME}*"):
        found = re.match(rf"{_NAME}(\d+)-", folder.name)
        if found and not Path(f"/proc/{found[1]}").exists():
            yield folder
