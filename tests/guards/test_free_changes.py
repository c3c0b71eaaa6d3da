"""The site's role adds, changes and removes rows with an audit entry, or has a reason not to.

What it may do is read from the database's privileges and the models' constraints, and the rest is
in `free_changes.json`: for UPDATE columns by model, for INSERT and DELETE models. A new model or
column fails here until somebody decides. Rules in SQL of their own count as reasons.
"""

import json
from pathlib import Path

from django.db import connection, models

from console.audit.recorded import Recorded, RecordedAs
from console.core.frozen import KeptWhile, NeverChanges, SetOnce
from console.core.moves_constraint import MovesConstraint
from tests.guards.test_frozen import MODELS

LISTED = json.loads(Path(__file__).with_name("free_changes.json").read_text())


def may(privilege: str, table: str) -> bool:
    """Tell whether the site's role has this privilege on a table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, has_table_privilege(%s, %s)", [table, privilege])
        row = cursor.fetchone()
    assert row is not None
    assert row[0] == "site"
    return bool(row[1])


def free_columns(found: list[type[models.Model]]) -> dict[str, str]:
    """Return the columns that the site's role can change without any trace, by model."""
    free: dict[str, str] = {}
    for model in found:
        constraints = model._meta.constraints
        if any(isinstance(one, NeverChanges) for one in constraints):
            continue
        held = {
            name
            for one in constraints
            if isinstance(one, SetOnce | KeptWhile | Recorded)
            for name in one.fields
        }
        columns = [one.name for one in model._meta.concrete_fields if one.name not in held]
        free |= {model._meta.label: " ".join(columns)} if columns else {}
    return free


def is_added_freely(model: type[models.Model]) -> bool:
    """Tell whether a row can be added without an entry, in more than the first status of many."""
    constraints = model._meta.constraints
    recorded = [one for one in constraints if isinstance(one, Recorded)]
    begins = any(isinstance(one, MovesConstraint) for one in constraints) and any(
        "status" in one.fields for one in recorded
    )
    return not begins and not any(one.added for one in recorded)


def is_removed_freely(model: type[models.Model]) -> bool:
    return not any(
        isinstance(one, NeverChanges)
        or (isinstance(one, SetOnce) and not one.deletable)
        or (isinstance(one, RecordedAs) and one.removed)
        for one in model._meta.constraints
    )


def test_every_column_that_may_change_is_listed_with_a_reason():
    listed = {label: columns for of in LISTED["UPDATE"].values() for label, columns in of.items()}
    changed = [model for model in MODELS if may("UPDATE", model._meta.db_table)]
    assert free_columns(changed) == listed


def test_every_model_whose_rows_are_added_freely_is_listed_with_a_reason():
    added = [model for model in MODELS if may("INSERT", model._meta.db_table)]
    free = [model._meta.label for model in added if is_added_freely(model)]
    assert sorted(free) == sorted(" ".join(LISTED["INSERT"].values()).split())


def test_every_model_whose_rows_are_removed_freely_is_listed_with_a_reason():
    removed = [model for model in MODELS if may("DELETE", model._meta.db_table)]
    free = [model._meta.label for model in removed if is_removed_freely(model)]
    assert sorted(free) == sorted(" ".join(LISTED["DELETE"].values()).split())


# Rows of days that had no partition are deleted once they have expired.
DEFAULT = "_default"


def test_the_site_writes_no_table_without_a_model():
    ours = {model._meta.db_table for model in MODELS}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        )
        others = {name for (name,) in cursor.fetchall()} - ours
    assert {"django_migrations", "webhooks_publicevent_default"} <= others
    writes = [
        (name, privilege)
        for name in sorted(others)
        for privilege in ("INSERT", "UPDATE", "DELETE")
        if may(privilege, name) and not (privilege == "DELETE" and name.endswith(DEFAULT))
    ]
    assert writes == []


def test_a_planted_column_is_seen():
    class Planted(models.Model):
        kept = models.TextField()
        planted = models.TextField()

        class Meta:
            app_label = "planted"
            constraints = [SetOnce(fields=["id", "kept"], name="a_planted_row_stays")]

    assert free_columns([Planted]) == {"planted.Planted": "planted"}
    assert is_added_freely(Planted)
    assert not is_removed_freely(Planted)
