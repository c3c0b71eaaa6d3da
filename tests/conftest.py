"""What every test stands on: the site's role, an emptied database, and no network but loopback."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase

from agreements.pki import seal_keys
from console.accounts.actors import SYSTEM
from console.audit import heads
from console.publishing import publications

pytest_plugins = ["tests.browser", "tests.services"]

# What stays between tests that commit: the schema's own rows, and what ships in use.
KEPT = frozenset(
    {
        *("django_migrations", "django_content_type", "auth_permission", "audit_head"),
        "publishing_publication",
    }
)


# The folders whose files take minutes.
LONG = ("flows", "browser_runs", "launch")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.path.parent.name not in LONG)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Migrate as the owner, then run every test as the site, which owns nothing.

    What ships is in use, as it is before the first page; the log of it is emptied like the rest.
    """
    with django_db_blocker.unblock():
        connection.close()
        owner = connection.settings_dict["USER"]
        connection.settings_dict["USER"] = "site"
        publications.begin(by=SYSTEM)
        empty_tables(TransactionTestCase())
        yield
        connection.close()
        connection.settings_dict["USER"] = owner


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Every test may use the database."""


@pytest.fixture(autouse=True)
def _no_heads_of_other_tests() -> None:
    """The file of published heads outlives the rows of the test that published them."""
    (Path(settings.DATA_DIR) / heads.FILE).unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection but to this machine."""
    connect = socket.socket.connect

    def only_here(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise ConnectionRefusedError(f"A test tried to reach {address}.")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", only_here)


def as_owner() -> "psycopg.Connection[Any]":
    """Return the owner's own connection to the test database."""
    at = connection.settings_dict
    return psycopg.connect(
        dbname=at["NAME"], user="owner", password=at["PASSWORD"], host=at["HOST"],
        port=at["PORT"] or None, autocommit=False,
    )  # fmt: skip


def empty_tables(_: TransactionTestCase) -> None:
    """Empty every table as the owner, past the triggers that forbid it; milliseconds.

    A browser that closes may have sent a last save that is still under way. It is waited for, and
    the head of the log is taken first: an entry linked between two of these statements would
    otherwise stay behind, in the place of an entry of the next test.
    """
    tables = [name for name in connection.introspection.table_names() if name not in KEPT]
    with as_owner() as owner:
        _wait_for_open_transactions(owner)
        owner.execute("SET LOCAL lock_timeout = '5s'")
        owner.execute("SET LOCAL session_replication_role = replica")
        owner.execute("SELECT FROM audit_head FOR UPDATE")
        for table in tables:
            owner.execute(f'DELETE FROM "{table}"')
        owner.execute("DELETE FROM publishing_publication WHERE proposed_by_id IS NOT NULL")
        owner.execute("UPDATE audit_head SET count = 0, hash = repeat('0', 64)")


def _wait_for_open_transactions(owner: "psycopg.Connection[Any]") -> None:
    """Return when nobody else writes in this database, at most 5 seconds later."""
    for _ in range(100):
        writing = owner.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()"
        ).fetchone()
        owner.commit()
        if writing is None:
            return
        time.sleep(0.05)


@pytest.fixture(autouse=True, scope="session")
def _set_up() -> None:
    """What `make run` does before the first page: the folder of static files, and the seal."""
    call_command("collectstatic", interactive=False, verbosity=0)
    seal_keys.set_up()


@pytest.fixture(autouse=True, scope="session")
def _flush_as_owner() -> None:
    # The site may not TRUNCATE, so Django's own flush would fail.
    TransactionTestCase._fixture_teardown = empty_tables  # type: ignore[attr-defined]
