"""A database for each test process, copied from one that is migrated once per run."""

import fcntl
import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.signals import connection_created
from django.db.migrations.state import ProjectState

from console.launch.postgres import OWNER, SITE

# Kept between tests that commit: the schema's own rows, and the published defaults.
KEPT = frozenset(
    {
        *("django_migrations", "django_content_type", "auth_permission", "audit_head"),
        *("publishing_publication", "agreements_companydetails"),
    }
)
MIGRATED = "tests_migrated"
# Gives entries the time to which a test travels; tests/audit/test_time.py uses the real function.
ENTRIES_TRAVEL = """
CREATE OR REPLACE FUNCTION public.audit_time(said timestamptz) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT said $$
"""
NO_PRIVILEGE = "no privilege"
_WAIT_SECONDS = 5
_TRIES = 3
# Rows made by tests have larger keys than all copies of prepared packs.
_FIRST_KEY = 10_000_000
# By process and database, since a forked process must not use its parent's connection.
_emptiers: "dict[tuple[int, str], psycopg.Connection[Any]]" = {}


def cluster() -> Path:
    """Return the folder that all test processes of this run share."""
    return Path(os.environ["CLUSTER_DIR"])


@contextmanager
def alone(what: str) -> Iterator[None]:
    """Hold a lock that only one test process at a time can have."""
    with (cluster() / f"{what}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def open_own(name: str) -> None:
    """Create a migrated, empty database with that name, and use it from now on as the site."""
    with alone("migrating"):
        _migrate_once()
    with _as_owner("postgres", autocommit=True) as owner:
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE {MIGRATED}')
        # A privilege on the database itself, which is not copied.
        owner.execute(f'REVOKE TEMPORARY ON DATABASE "{name}" FROM PUBLIC')
    _use(name, SITE)
    with as_owner() as owner:
        count_from(owner, _FIRST_KEY)


def count_from(owner: "psycopg.Connection[Any]", first: int, pack: int = 1) -> None:
    """Start the keys of new rows at `first`, and the numbers of packs at `pack`."""
    sequences = owner.execute("SELECT oid::regclass::text FROM pg_class WHERE relkind = 'S'")
    for (one,) in sequences.fetchall():
        of_packs = one.endswith("agreements_pack_number")
        owner.execute("SELECT setval(%s, %s, false)", [one, pack if of_packs else first])


def as_owner(database: str = "", *, autocommit: bool = False) -> "psycopg.Connection[Any]":
    """Return the owner's own connection to the test database, or to another."""
    return _as_owner(database or connection.settings_dict["NAME"], autocommit=autocommit)


def empty_tables(_: object = None) -> None:
    """Empty every table as the owner, past the triggers that forbid it; takes milliseconds.

    A closing browser may have sent a last save that is still in progress, so wait for it. Lock the
    head of the log first, or an entry linked between two of these statements would remain in place
    of an entry of the next test.
    """
    for _ in range(_TRIES):
        # A writer that starts after the wait may hold these locks: try again then.
        with suppress(psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable):
            _empty_tables()
            return
    _empty_tables()


def _empty_tables() -> None:
    owner = _emptier()
    _wait_for_open_transactions(owner)
    with owner.transaction():
        go_past_triggers(owner)
        owner.execute(_emptying())


def _emptier() -> "psycopg.Connection[Any]":
    """Return the connection for emptying this process's database, which has the tables cached."""
    name = connection.settings_dict["NAME"]
    kept = _emptiers.get((os.getpid(), name))
    if kept is None or kept.closed:
        kept = _emptiers[os.getpid(), name] = _as_owner(name, autocommit=True)
    return kept


@functools.cache
def _emptying() -> str:
    """Return the statements that empty all tables, as one message to the server."""
    return "; ".join(
        [
            "SELECT FROM audit_head FOR UPDATE",
            *(f'DELETE FROM "{table}"' for table in tables()),
            "DELETE FROM publishing_publication WHERE proposed_by_id IS NOT NULL",
            "DELETE FROM agreements_companydetails WHERE entered_by_id IS NOT NULL",
            "UPDATE audit_head SET count = 0, hash = repeat('0', 64)",
        ]
    )


def tables() -> list[str]:
    """Return the tables whose rows belong to tests."""
    return [name for name in connection.introspection.table_names() if name not in KEPT]


def refused_by(sql: str, *values: Any) -> str:
    """Return what refuses a statement of the site's role: a rule, NO_PRIVILEGE, or nothing ("")."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            assert cursor.fetchone() == (SITE,)
            cursor.execute(sql, values)
    except DatabaseError as error:
        return str(error.__cause__.diag.constraint_name or NO_PRIVILEGE)
    return ""


def go_past_triggers(owner: "psycopg.Connection[Any]") -> None:
    """Disable triggers and foreign keys for the owner until this transaction ends."""
    owner.execute(f"SET LOCAL lock_timeout = '{_WAIT_SECONDS}s'")
    owner.execute("SET LOCAL session_replication_role = replica")


def _migrate_once() -> None:
    with _as_owner("postgres", autocommit=True) as owner:
        known = owner.execute("SELECT FROM pg_database WHERE datname = %s", [MIGRATED]).fetchone()
        if known is not None:
            return
        unfinished = f"{MIGRATED}_unfinished"
        owner.execute(f"CREATE DATABASE {unfinished}")
        _use(unfinished, OWNER)
        render_only_new_models()
        call_command("migrate", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(ENTRIES_TRAVEL)
        _begin_publications()
        connection.close()
        _emptier().close()  # a database can only be renamed without connections
        owner.execute(f"ALTER DATABASE {unfinished} RENAME TO {MIGRATED}")


def render_only_new_models() -> None:
    """Let migrations of this process render a model once, not again with each that refers to it.

    Django also renders all related models, for code of a migration that uses them, and all again
    for each constraint or index. Without that, the same tables take a ninth of the time.
    """

    def add_model(self: Any, model_state: Any) -> None:
        key = (model_state.app_label, model_state.name_lower)
        self.models[key] = model_state
        if self._relations is not None:
            self.resolve_model_relations(key)
        if "apps" in vars(self):
            self.apps.render_multiple([model_state])

    def append(state: Any, app_label: str, model_name: str, option: str, added: object) -> None:
        options = state.models[app_label, model_name].options
        options[option] = [*options[option], added]

    ProjectState.add_model = add_model  # type: ignore[method-assign]
    ProjectState._append_option = append  # type: ignore[attr-defined]


def _begin_publications() -> None:
    """Publish the shipped defaults, as before the first page, and empty the log of it."""
    from console.accounts.actors import SYSTEM  # needs Django to be set up
    from console.publishing import publications

    publications.begin(by=SYSTEM)
    begin_company()
    empty_tables()


def begin_company() -> None:
    """Publish the example of our company directly, since two people would take longer."""
    from agreements.models import CompanyDetails
    from agreements.our_company import company_versions
    from api.demo.company import EXAMPLE
    from console.core import clock
    from console.publishing.models import Publication

    now, body = clock.now(), company_versions.canonical(EXAMPLE, is_example=True)
    details = CompanyDetails.objects.create(version="1", body=body, entered_at=now)
    Publication.objects.create(
        kind=company_versions.COMPANY.key, version=details.version, sha256=details.sha256,
        proposed_at=now, in_use_from=now,
    )  # fmt: skip


def _use(name: str, role: str) -> None:
    connection.close()
    connection.settings_dict.update(NAME=name, USER=role)


def _keep_open(connection: Any, **_: Any) -> None:
    """Keep the tests' own connection between calls, since a new one must load the catalogue.

    Connections of other threads end with the call as usual; in the live server, a thread serves one
    browser connection for all its calls, and ends with it.
    """
    thread = threading.current_thread()
    if thread is threading.main_thread() or "process_request_thread" in thread.name:
        connection.close_at = None


connection_created.connect(_keep_open, dispatch_uid="tests.databases")


def _as_owner(database: str, *, autocommit: bool) -> "psycopg.Connection[Any]":
    at = connection.settings_dict
    return psycopg.connect(
        dbname=database, user=OWNER, password=at["PASSWORD"], host=at["HOST"],
        port=at["PORT"] or None, autocommit=autocommit,
    )  # fmt: skip


def _wait_for_open_transactions(owner: "psycopg.Connection[Any]") -> None:
    """Wait until nothing else writes to this database, or until that takes too long."""
    for _ in range(_WAIT_SECONDS * 20):
        writing = owner.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()"
        ).fetchone()
        if writing is None:
            return
        owner.execute("SELECT pg_sleep(0.05)")
