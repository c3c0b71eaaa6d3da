"""Every column is kept, or changes with an audit entry, or is listed with a reason why it may.

A new model or column fails here until somebody decides. Rules in SQL of their own count as reasons.
"""

import json
from pathlib import Path

from django.db import models

from console.audit.recorded import Recorded
from console.core.frozen import KeptWhile, NeverChanges, SetOnce
from tests.guards.test_frozen import MODELS

LISTED = json.loads(Path(__file__).with_name("free_columns.json").read_text())


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


def test_every_column_that_may_change_is_listed_with_a_reason():
    listed = {label: columns for of in LISTED.values() for label, columns in of.items()}
    assert free_columns(MODELS) == listed


def test_a_planted_column_is_seen():
    class Planted(models.Model):
        kept = models.TextField()
        planted = models.TextField()

        class Meta:
            app_label = "planted"
            constraints = [SetOnce(fields=["id", "kept"], name="a_planted_row_stays")]

    assert free_columns([Planted]) == {"planted.Planted": "planted"}
