"""Models and migrations agree, and every migration can be taken back."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from django.db import migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from tests.guards.tree import PACKAGES


def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def ours() -> list[migrations.Migration]:
    known = MigrationLoader(None).disk_migrations.values()
    mine = [one for one in known if one.__module__.split(".")[0] in PACKAGES]
    return sorted(mine, key=str)  # a set's order differs between the processes of one run


def one_way(operations: Sequence[Operation]) -> list[str]:
    """Return what cannot be taken back: code and SQL without the other direction."""
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
    from django.apps import apps
    from django.db import models

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
