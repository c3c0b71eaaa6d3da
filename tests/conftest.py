"""Fixtures for all tests: the site's role, an emptied database, and no network but loopback."""

import gc
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import Settings, settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.db import connection
from django.template import Context, Template
from django.test import TransactionTestCase
from django.test.client import ClientHandler
from django.utils.safestring import SafeString
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from kombu.exceptions import OperationalError
from whitenoise import WhiteNoise

from agreements.pki import seal_keys
from api.demo.company import EXAMPLE
from api.request_log_writer import RequestLogWriter
from console.celery import app
from console.core import clock
from console.core.isolation import isolation
from tests import databases, prepared
from tests.proofs import is_full

pytest_plugins = ["tests.browser", "tests.budget", "tests.coverage_floors", "tests.services"]

# Fixed examples, except in `make prove`; and a slow machine is not an error.
hypothesis_settings.register_profile(
    "console",
    deadline=None,
    derandomize=not is_full(),
    max_examples=100 if is_full() else 30,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("console")

# Cost of a password hash in production, and in tests that do not measure it.
_REAL_HASH = {
    name: getattr(Argon2PasswordHasher, name)
    for name in ("time_cost", "memory_cost", "parallelism")
}
_CHEAP_HASH = {"time_cost": 1, "memory_cost": 8, "parallelism": 1}

# Folders with files that take minutes.
LONG = {
    *("browser_runs", "flows", "four_eyes", "hosts"),
    *("launch", "matrices", "rolling_update", "server"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the longest files and with those that wait, or one worker runs them at the end."""
    waiting = {
        item.path
        for item in items
        if item.get_closest_marker("browser") or item.get_closest_marker("services")
    }
    items.sort(key=lambda item: (item.path.parent.name not in LONG, item.path not in waiting))


@pytest.fixture
def forbidden_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this system forbid user namespaces, as containers do."""
    forbids = tmp_path / "unshare"
    forbids.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    forbids.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    isolation.cache_clear()
    yield
    isolation.cache_clear()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    """Create this process's migrated database; tests use the site's role, which owns nothing."""
    with django_db_blocker.unblock():
        databases.open_own(f"tests_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")
        yield
        connection.close()


@pytest.fixture(autouse=True)
def _copies_taken_back() -> Iterator[None]:
    """Remove the prepared packs that a test took, after its transaction."""
    prepared.keep()
    yield
    prepared.take_back()


@pytest.fixture(autouse=True)
def _database(_copies_taken_back: None, db: None) -> None:
    """Give every test access to the database."""


@pytest.fixture(autouse=True)
def _no_heads_of_other_tests() -> None:
    """Delete the records of heads and checks, which outlive their test's rows."""
    shutil.rmtree(Path(settings.MEDIA_ROOT) / "audit", ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def _cheap_password_hashes() -> Iterator[None]:
    """Hash passwords with the minimum cost of Argon2."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _CHEAP_HASH.items():
            patch.setattr(Argon2PasswordHasher, name, value)
        yield


@pytest.fixture
def real_password_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with the production cost, for tests that measure time."""
    for name, value in _REAL_HASH.items():
        monkeypatch.setattr(Argon2PasswordHasher, name, value)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to anything but this machine."""
    connect = socket.socket.connect

    def only_here(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise ConnectionRefusedError(f"A test tried to reach {address}.")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", only_here)


@pytest.fixture(autouse=True, scope="session")
def _pages_as_they_are(django_test_environment: None) -> Iterator[None]:
    """Render like the site, without the copy of each template's context.

    Django's test client makes that copy, which no test uses.
    """

    def render(template: Template, context: Context) -> SafeString:
        return template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_log_behind_a_test() -> Iterator[None]:
    """Write the API's request log only when a test asks for it, not in a thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestLogWriter, "start", lambda self: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def _broker_missed_at_once() -> Iterator[None]:
    """Make waking a worker fail at once if no broker runs, before Celery builds the message."""
    send, broker = app.send_task, Path(settings.BROKER_URL.removeprefix("redis+socket://"))

    def send_to_broker(*args: Any, **more: Any) -> Any:
        if not broker.exists():
            raise OperationalError("No broker runs.")
        return send(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "send_task", send_to_broker)
        yield


@pytest.fixture(autouse=True, scope="session")
def _rare_collections(_set_up: None) -> None:
    """Collect garbage rarely and ignore the modules' objects, which saves a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def _one_middleware_chain() -> Iterator[None]:
    """Share the loaded handler between all test clients.

    If a test overrides settings, its clients load their own; the static folder is read only once.
    """
    load = ClientHandler.load_middleware
    loaded: Any = ClientHandler()

    def load_once(handler: Any, is_async: bool = False) -> None:
        if not isinstance(vars(settings)["_wrapped"], Settings):
            load(handler, is_async)
            return
        if loaded._middleware_chain is None:
            load(loaded)
        handler._middleware_chain = loaded._middleware_chain

    scan, scanned = WhiteNoise.update_files_dictionary, dict[tuple[str, str], dict[str, Any]]()

    def scan_once(noise: Any, root: str, prefix: str) -> None:
        if (root, prefix) not in scanned:
            scan(noise, root, prefix)
            scanned[root, prefix] = noise.files
        noise.files = dict(scanned[root, prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load_once)
        patch.setattr(WhiteNoise, "update_files_dictionary", scan_once)
        yield


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop limits from refilling while a test counts, however slow the machine is."""
    moment = clock.now()
    monkeypatch.setattr(clock, "now", lambda: moment)


@pytest.fixture(autouse=True, scope="session")
def _set_up() -> None:
    """Do what `make run` does before the first page: collect static files and create the seal."""
    call_command("collectstatic", interactive=False, verbosity=0)
    shared = databases.cluster() / "pki"
    with databases.alone("seal"):
        if not shared.exists():
            seal_keys.set_up(EXAMPLE["legal_name"])
            shutil.copytree(settings.PKI_DIR, shared)
    shutil.copytree(shared, settings.PKI_DIR, dirs_exist_ok=True)


@pytest.fixture(autouse=True, scope="session")
def _flush_as_owner() -> None:
    # The site may not TRUNCATE, so Django's own flush would fail.
    TransactionTestCase._fixture_teardown = databases.empty_tables  # type: ignore[attr-defined]
    TransactionTestCase._should_reload_connections = lambda _: False  # type: ignore[attr-defined]
