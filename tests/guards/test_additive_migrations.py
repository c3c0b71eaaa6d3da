"""Migrations only add: the previous release runs beside the new schema during an update.

A migration that takes something away, or adds a constraint to an existing table, has a note,
`two_step = "..."`: since when nothing uses it, or nothing breaks it.
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

from console.core.database_rule import DatabaseRule
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
# A constraint, and its table.
CONSTRAINT = re.compile(
    r"\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?([^\s(]+)"
    r"[^;]*\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b"
    r"|\bCREATE\s+UNIQUE\s+INDEX\b[^;]*?\bON\s+(?:ONLY\s+)?([^\s(]+)",
    re.IGNORECASE,
)
WIDER = {("smallint", "integer"), ("smallint", "bigint"), ("integer", "bigint")}


def destructive(
    operations: Sequence[Operation], label: str, state: ProjectState, made: set[str] | None = None
) -> Iterator[str]:
    """Yield the operations that break code which knows only the schema before them.

    `made` are the models that the migration creates, and their tables.
    """
    made = set() if made is None else made
    for one in operations:
        if isinstance(one, migrations.SeparateDatabaseAndState):
            yield from destructive(one.database_operations, label, state.clone(), made)
        elif isinstance(one, migrations.CreateModel):
            made |= {one.name_lower, one.options.get("db_table", f"{label}_{one.name_lower}")}
        elif getattr(one, "model_name_lower", "") not in made and breaks(one, label, state, made):
            yield str(one.describe())
        one.state_forwards(label, state)


def breaks(one: Operation, label: str, state: ProjectState, made: set[str]) -> bool:
    if isinstance(one, migrations.AddField):
        return not one.field.many_to_many and is_required(one.field)
    if isinstance(one, migrations.AlterField):
        old = state.models[label, one.model_name_lower].get_field(one.name)
        return narrows(old, one.field)
    if isinstance(one, migrations.RunSQL):
        parts = [one.sql] if isinstance(one.sql, str) else one.sql
        texts = [part if isinstance(part, str) else part[0] for part in parts]
        return any(SQL.search(text) or adds_constraint(text, made) for text in texts)
    if isinstance(one, migrations.AddConstraint):
        return not isinstance(one.constraint, DatabaseRule)
    return isinstance(one, TAKES_AWAY)


def adds_constraint(sql: str, made: set[str]) -> bool:
    """Tell whether a table that the migration does not create refuses rows that it accepted."""
    tables = [altered or indexed for altered, indexed in CONSTRAINT.findall(sql)]
    return any(table.replace('"', "").removeprefix("public.") not in made for table in tables)


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
CREATE = migrations.CreateModel("Note", [("title", models.CharField(max_length=9))])
ONE_TITLE = models.UniqueConstraint(fields=["title"], name="one_title")
FULL_TITLE = models.CheckConstraint(condition=~models.Q(title=""), name="full_title")


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
        (migrations.AddConstraint("Note", ONE_TITLE), True),
        (migrations.AddConstraint("Note", FULL_TITLE), True),
        (migrations.RunSQL("ALTER TABLE ONLY note\nADD CONSTRAINT one UNIQUE (title)"), True),
        (migrations.RunSQL("CREATE UNIQUE INDEX CONCURRENTLY one ON note(title)"), True),
        (migrations.AlterField(*COLUMN, models.CharField(max_length=20)), False),
        (migrations.AlterField(*COLUMN, models.TextField(db_default="")), False),
        (migrations.AddField("Note", "text", models.TextField(null=True)), False),
        (migrations.AddField("Note", "text", models.TextField(db_default="")), False),
        (migrations.RunSQL("CREATE INDEX quick ON note (title)"), False),
        (migrations.AddConstraint("Note", DatabaseRule(name="rule", sql="SELECT 1")), False),
    ],
)
def test_it_finds_what_takes_away(planted, is_found):
    CREATE.state_forwards("planted", state := ProjectState())
    assert bool(list(destructive([planted], "planted", state))) is is_found


@pytest.mark.parametrize(
    "planted",
    [
        migrations.AddConstraint("Note", ONE_TITLE),
        migrations.RunSQL('CREATE UNIQUE INDEX one ON "planted_note" (title)'),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL("ALTER TABLE public.planted_note ADD CHECK (title <> '')")]
        ),
    ],
)
def test_a_new_table_may_have_any_constraint(planted):
    assert list(destructive([CREATE, planted], "planted", ProjectState())) == []
