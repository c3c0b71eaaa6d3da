"""`manage.py migrate`, which refuses a database made by migrations that no longer exist."""

from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

_TOO_OLD = (
    "This data was made by an earlier version and cannot be carried over, so nothing was changed: "
    "`make reset` empties it, and the next `make run` starts afresh."
)
_DIFFERENT = (
    "The database has migrations that this release lacks, and lacks migrations of this release, "
    "so nothing was changed. Install the release that made it, or a newer one."
)
_NEWER = "A newer release migrated this database, so there is nothing to migrate."


class Command(migrate.Command):
    """Django's migrate, after comparing its migrations with those the database has applied."""

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(connections[options["database"]])
        applied, ours = (loader.applied_migrations or {}).keys(), loader.disk_migrations.keys()
        if not applied - ours:
            super().handle(*args, **options)
        elif settings.DEMO:
            raise CommandError(_TOO_OLD)
        elif ours - applied:
            raise CommandError(_DIFFERENT)
        else:
            # Migrations of a release only add, so the release before it runs with them: on
            # another host, or after an update that failed or was taken back.
            self.stdout.write(_NEWER)
