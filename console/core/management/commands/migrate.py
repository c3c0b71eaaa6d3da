"""Migrate, unless the database was made by migrations that are gone."""

from typing import Any

from django.apps import apps
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

_OURS = ("console", "onboarding", "agreements", "apikeys", "api")
_TOO_OLD = (
    "This data was made by an earlier version and cannot be carried over; nothing was changed. "
    "If it is a demo world, `make reset` empties it, and the next `make run` begins anew."
)


class Command(migrate.Command):
    """Django's own, asked first whether it knows every migration that the database has seen."""

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(connections[options["database"]])
        ours = {one.label for one in apps.get_app_configs() if one.name.split(".")[0] in _OURS}
        seen = loader.applied_migrations or {}
        if any(one[0] in ours and one not in loader.disk_migrations for one in seen):
            raise CommandError(_TOO_OLD)
        super().handle(*args, **options)
