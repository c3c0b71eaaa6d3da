"""Migrations only add: the previous release runs beside the new schema during an update.

A migration that takes something away has a note, `two_step = "..."`: since when nothing uses it.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, Field

from tests.guards.tree import PACKAGES

TAKES_AWAY = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
SQL = re.compile(
    r"\bTRUNCATE\b|\bDROP\s+(TABLE|COLUMN|VIEW|SCHEMA|TYPE|FUNCTION)\b"
    r"|\bALTER\s+TABLE\b.*\b(DROP|RENAME|TYPE|SET\s+NOT\s+NULL)\b",
    re.IGNORECASE | re.DOTALL,
)
WIDER = {("smallint", "integer"), ("smallint", "bigint"), ("integer", "bigint")}


def destructive(operations: Sequence[Operation], label: str, state: ProjectState) -> Iterator[str]:
    """Yield the operations that break code which knows only the schema before them."""
    made: set[str] = set()
    for one in operations:
        if isinstance(one, migrations.SeparateDatabaseAndState):
            yield from destructive(one.database_operations, label, state.clone())
        elif isinstance(one, migrations.CreateModel):
            made.add(one.name_lower)
        elif getattr(one, "model_name_lower", "") not in made and breaks(one, label, state):
            yield str(one.describe())
        one.state_forwards(label, state)


def breaks(one: Operation, label: str, state: ProjectState) -> bool:
    if isinstance(one, migrations.AddField):
        return not one.field.many_to_many and is_required(one.field)
    if isinstance(one, migrations.AlterField):
        old = state.models[label, one.model_name_lower].get_field(one.name)
        return narrows(old, one.field)
    if isinstance(one, migrations.RunSQL):
        parts = [one.sql] if isinstance(one.sql, str) else one.sql
        return any(SQL.search(part if isinstance(part, str) else part[0]) for part in parts)
    return isinstance(one, TAKES_AWAY)


def is_required(field: "Field[Any, Any]") -> bool:
    """Tell whether a row that says nothing about the field is refused."""
    return not field.null and not field.generated and field.db_default is NOT_PROVIDED


def narrows(old: "Field[Any, Any]", new: "Field[Any, Any]") -> bool:
    """Tell whether the column refuses rows that it accepted before."""
    if (is_required(new) and not is_required(old)) or (new.unique and not old.unique):
        return True
    if old.is_relation or new.is_relation:
        return type(old) is not type(new) or old.related_model != new.related_model
    before, after = old.db_type(connection), new.db_type(connection)
    lengths = [re.fullmatch(r"varchar\((\d+)\)", each or "") for each in (before, after)]
    if lengths[0]:
        return after != "text" and not (lengths[1] and int(lengths[1][1]) >= int(lengths[0][1]))
    return before != after and (before, after) not in WIDER


LOADER = MigrationLoader(None)
LATER = sorted(
    key
    for key, one in LOADER.disk_migrations.items()
    if one.__module__.split(".")[0] in PACKAGES and not one.initial
)


@pytest.mark.parametrize("key", LATER, ids="/".join)
def test_it_only_adds_or_says_how_it_takes_away_in_two_steps(key):
    migration = LOADER.disk_migrations[key]
    if not getattr(sys.modules[migration.__module__], "two_step", ""):
        state = LOADER.project_state(key, at_end=False)
        assert list(destructive(migration.operations, key[0], state)) == []


COLUMN = "Note", "title"


@pytest.mark.parametrize(
    ("planted", "is_found"),
    [
        (migrations.RemoveField(*COLUMN), True),
        (migrations.RenameField(*COLUMN, "name"), True),
        (migrations.DeleteModel("Note"), True),
        (migrations.AlterField(*COLUMN, models.CharField(max_length=5)), True),
        (migrations.AlterField(*COLUMN, models.IntegerField()), True),
        (migrations.AlterField(*COLUMN, models.CharField(max_length=9, unique=True)), True),
        (migrations.AddField("Note", "text", models.TextField(default="")), True),
        (migrations.RunSQL('ALTER TABLE "note"\nALTER COLUMN "title" SET NOT NULL'), True),
        (migrations.SeparateDatabaseAndState([migrations.RunSQL("DROP TABLE note")]), True),
        (migrations.AlterField(*COLUMN, models.CharField(max_length=20)), False),
        (migrations.AlterField(*COLUMN, models.TextField(db_default="")), False),
        (migrations.AddField("Note", "text", models.TextField(null=True)), False),
        (migrations.AddField("Note", "text", models.TextField(db_default="")), False),
        (migrations.RunSQL("CREATE INDEX quick ON note (title)"), False),
    ],
)
def test_it_finds_what_takes_away(planted, is_found):
    create = migrations.CreateModel("Note", [("title", models.CharField(max_length=9))])
    create.state_forwards("planted", state := ProjectState())
    assert bool(list(destructive([planted], "planted", state))) is is_found
