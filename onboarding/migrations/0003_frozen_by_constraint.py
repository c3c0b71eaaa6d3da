"""The frozen rows of this package are kept by the constraint that freezes all others."""

from importlib import import_module

from django.db import migrations

from console.core.frozen import NeverChanges

_TRIGGERS = import_module("onboarding.migrations.0002_frozen_rows")
NAMES = {
    "answer": "answers_never_change",
    "submission": "submissions_never_change",
    "assessment": "assessments_never_change",
}


class Migration(migrations.Migration):
    dependencies = [("core", "0001_roles_and_moves"), ("onboarding", "0002_frozen_rows")]
    operations = [
        migrations.RunSQL(_TRIGGERS.BACKWARD, _TRIGGERS.FORWARD),
        *(migrations.AddConstraint(model, NeverChanges(name=n)) for model, n in NAMES.items()),
    ]
