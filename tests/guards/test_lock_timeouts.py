"""A migration that locks an existing table waits for the lock for a few seconds at most.

While it waits, every statement on that table waits behind it.
"""

import re
from collections.abc import Iterator, Sequence

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from console.core.database_rule import DatabaseRule
from tests.guards.test_additive_migrations import LATER, LOADER

# `LOCAL` is for a migration that is one transaction.
SETS_IT = {
    True: re.compile(r"\s*SET LOCAL lock_timeout = '[1-5]s'"),
    False: re.compile(r"\s*SET lock_timeout = '[1-5]s'"),
}
# Indexes that are made or dropped concurrently wait for other transactions, but no read or write
# waits behind them. They run outside a transaction, where SET LOCAL does nothing.
CONCURRENTLY = AddIndexConcurrently, RemoveIndexConcurrently
CONCURRENT_SQL = re.compile(r"\s*(CREATE( UNIQUE)?|DROP) INDEX CONCURRENTLY [^;]*;?\s*")


def first_lock(migration: migrations.Migration) -> str:
    """Return the first operation that may wait for a lock without a limit, or an empty string."""
    made: set[str] = set()
    for one in database_operations(migration.operations):
        sql = str(one.sql) if isinstance(one, migrations.RunSQL) else ""
        if SETS_IT[migration.atomic].match(sql):
            return ""
        if isinstance(one, migrations.CreateModel):
            made.add(one.name_lower)
        elif not (
            getattr(one, "model_name_lower", "") in made
            or isinstance(one, CONCURRENTLY)
            or CONCURRENT_SQL.fullmatch(sql)
        ):
            return str(one.describe())
    return ""


def database_operations(operations: Sequence[Operation]) -> Iterator[Operation]:
    for one in operations:
        if isinstance(one, migrations.SeparateDatabaseAndState):
            yield from database_operations(one.database_operations)
        else:
            yield one


@pytest.mark.parametrize("key", LATER, ids="/".join)
def test_it_limits_the_wait_for_locks(key):
    assert first_lock(LOADER.disk_migrations[key]) == ""


LIMIT = migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop)
CREATE = migrations.CreateModel("Note", [("title", models.CharField(max_length=9))])
COLUMN = migrations.AddField("Note", "text", models.TextField(null=True))
INDEX = models.Index(fields=["title"], name="titles")


def planted(*operations: Operation, atomic: bool = True) -> migrations.Migration:
    members = {"operations": operations, "atomic": atomic}
    made = type("Migration", (migrations.Migration,), members)("0002_planted", "planted")
    assert isinstance(made, migrations.Migration)
    return made


@pytest.mark.parametrize(
    "migration",
    [
        planted(COLUMN),
        planted(COLUMN, LIMIT),
        planted(LIMIT, COLUMN, atomic=False),
        planted(migrations.RunSQL("SET LOCAL lock_timeout = '5min'"), COLUMN),
        planted(migrations.AddIndex("Note", INDEX)),
        planted(migrations.AddConstraint("Note", DatabaseRule(name="rule", sql="SELECT 1"))),
        planted(migrations.DeleteModel("Note")),
        planted(migrations.RunSQL("ALTER TABLE note ADD COLUMN text text")),
        planted(migrations.RunSQL("DROP INDEX CONCURRENTLY titles; DROP TABLE note"), atomic=False),
        planted(migrations.SeparateDatabaseAndState([COLUMN])),
    ],
)
def test_it_finds_a_wait_without_a_limit(migration):
    assert first_lock(migration)


@pytest.mark.parametrize(
    "migration",
    [
        planted(LIMIT, COLUMN),
        planted(migrations.RunSQL("SET lock_timeout = '5s'"), COLUMN, atomic=False),
        planted(CREATE, COLUMN),
        planted(AddIndexConcurrently("Note", INDEX), atomic=False),
        planted(migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS titles"), atomic=False),
        planted(migrations.SeparateDatabaseAndState(state_operations=[COLUMN])),
    ],
)
def test_it_accepts_a_limited_wait(migration):
    assert first_lock(migration) == ""
