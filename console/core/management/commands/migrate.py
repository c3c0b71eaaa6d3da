"""`manage.py migrate`, which refuses a database made by migrations that no longer exist."""

from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

_TOO_OLD = (
    "This data was made by an earlier version and cannot be carried over, so nothing was changed: "
    "`make reset` empties it, and the next `make run` begins anew."
)


class Command(migrate.Command):
    """Django's migrate, after checking that it knows every migration the database has applied."""

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(connections[options["database"]])
        if (loader.applied_migrations or {}).keys() - loader.disk_migrations.keys():
            raise CommandError(_TOO_OLD)
        super().handle(*args, **options)
