"""Models and migrations agree, and every migration is reversible."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder

from console.core.database_rule import DatabaseRule
from console.core.digests import sha256_hex
from tests.databases import MIGRATED, as_owner
from tests.guards.tree import PACKAGES, ROOT


def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def ours() -> list[migrations.Migration]:
    known = MigrationLoader(None).disk_migrations.values()
    mine = [one for one in known if one.__module__.split(".")[0] in PACKAGES]
    return sorted(mine, key=str)  # parallel test processes must collect the same order


def one_way(operations: Sequence[Operation]) -> list[str]:
    """Return the irreversible operations: code and SQL without a reverse."""
    found = [str(one.describe()) for one in operations if not one.reversible]
    for one in operations:
        if isinstance(one, migrations.SeparateDatabaseAndState):
            found += one_way(one.database_operations)
    return found


@pytest.mark.parametrize("migration", ours(), ids=str)
def test_it_can_be_taken_back(migration):
    assert one_way(migration.operations) == []


def test_there_are_migrations_to_look_at():
    assert len(ours()) > 10


@pytest.mark.parametrize(
    "planted",
    [
        migrations.RunSQL("SELECT 1"),
        migrations.RunPython(lambda apps, editor: None),
        migrations.SeparateDatabaseAndState([migrations.RunSQL("SELECT 1")]),
    ],
)
def test_it_sees_a_planted_fault(planted):
    assert one_way([planted])


def test_a_planted_field_is_seen():
    model: Any = apps.get_model("catalogue", "BusinessProduct")
    field = models.TextField(default="")
    field.contribute_to_class(model, "planted")
    try:
        with pytest.raises(SystemExit):
            call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    finally:
        model._meta.local_fields.remove(field)
        model._meta._expire_cache()
        del model.planted


def test_a_changed_rule_is_seen(monkeypatch):
    rules = [
        one
        for model in apps.get_models()
        for one in model._meta.constraints
        if isinstance(one, DatabaseRule)
    ]
    assert len(rules) > 20
    monkeypatch.setattr(rules[0], "sql", rules[0].sql + "-- changed")
    with pytest.raises(SystemExit):
        call_command("makemigrations", check=True, dry_run=True, verbosity=0)


# Landed migrations


LANDED = Path(__file__).parent / "landed_migrations.json"


def changed(landed: dict[str, str], files: dict[str, str]) -> list[str]:
    """Return the landed migrations that were edited or removed; databases have applied them."""
    return sorted(path for path, sha256 in landed.items() if files.get(path) != sha256)


def hashes() -> dict[str, str]:
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("migrations/0*.py")]
    return {str(path.relative_to(ROOT)): sha256_hex(path.read_bytes()) for path in files}


def test_a_migration_that_landed_never_changes():
    """LANDED only grows: undo an edit and put the change into a new migration."""
    landed, files = json.loads(LANDED.read_text()), hashes()
    assert changed(landed, files) == []
    new = [f'"{path}": "{files[path]}",' for path in sorted(files.keys() - landed.keys())]
    assert not new, f"Add to {LANDED.name}, in the order of the paths:\n" + "\n".join(new)


def test_it_sees_an_edited_and_a_removed_migration():
    landed = {"a/0001.py": "1", "b/0001.py": "2", "c/0001.py": "3"}
    assert changed(landed, {"a/0001.py": "1", "b/0001.py": "other", "d/0001.py": "4"}) == [
        "b/0001.py",
        "c/0001.py",
    ]


# Data of an earlier version

SEEN = ("core", "0999_of_the_next_release")


@contextmanager
def has_applied(seen: tuple[str, str]) -> Iterator[None]:
    """Let the database say that it has applied a migration that this release lacks."""
    with as_owner() as owner:
        owner.execute("INSERT INTO django_migrations VALUES (DEFAULT, %s, %s, now())", seen)
    try:
        yield
    finally:
        with as_owner() as owner:
            owner.execute("DELETE FROM django_migrations WHERE app = %s AND name = %s", seen)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seen", [("payouts", "0001_initial"), ("core", "0002_kept_while")])
def test_a_database_that_has_seen_a_migration_that_is_gone_is_refused(seen):
    with has_applied(seen), pytest.raises(CommandError, match="`make reset` empties it"):
        call_command("migrate", verbosity=0)


# Data of a newer release


@pytest.mark.django_db(transaction=True)
def test_the_old_release_prepares_after_a_newer_one_migrated(settings):
    settings.DEMO, said = False, StringIO()
    with has_applied(SEEN):
        call_command("migrate", stdout=said)
    assert "A newer release migrated this database" in said.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_release_that_lacks_some_migrations_and_has_others_is_refused(settings, monkeypatch):
    settings.DEMO = False
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: {SEEN: None})
    with pytest.raises(CommandError, match="Install the release that made it"):
        call_command("migrate", verbosity=0)


# All migrations back and forward, in a separate database

_BACK_AND_THERE = """
import django, sys
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests import databases
databases.render_only_new_models()
MigrationExecutor(connection).migrate([(label, None) for label in sys.argv[1:]])
call_command("migrate", verbosity=0)
"""


@pytest.fixture
def migrated_database():
    """Yield the URL of a temporary database with every migration applied."""
    name = f"back_{connection.settings_dict['NAME']}"
    with as_owner() as owner:
        owner.autocommit = True
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE {MIGRATED}')
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
        owner.execute(f'DROP DATABASE "{name}"')


@pytest.mark.check
def test_every_table_can_be_taken_away_and_made_again(migrated_database):
    labels = {one.app_label for one in ours()}
    done = subprocess.run(
        [sys.executable, "-c", _BACK_AND_THERE, *sorted(labels)],
        cwd=ROOT, env=os.environ | {"DATABASE_URL": migrated_database},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
