"""Migrate, unless the database was made by migrations that are gone or were another text."""

from typing import Any

from django.apps import AppConfig, apps
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

_OURS = ("console", "onboarding", "agreements", "apikeys", "api")
_TOO_OLD = (
    "This data was made by an earlier version and cannot be carried over; nothing was changed. "
    "If it is a demo world, `make reset` empties it, and the next `make run` begins anew."
)
_OTHER_TABLES = (
    "The tables of this data were made by an earlier version: {missing} is missing, and cannot be "
    "added. Nothing is lost. If it is a demo world, `make reset` empties it, and the next "
    "`make run` begins anew; otherwise go back to the version that made it, and tell us."
)
_COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema()
"""


class Command(migrate.Command):
    """Django's own, asked first whether it knows every migration that the database has seen."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        loader = MigrationLoader(connection)
        ours = {one.label for one in apps.get_app_configs() if _is_ours(one)}
        seen = loader.applied_migrations or {}
        if any(one[0] in ours and one not in loader.disk_migrations for one in seen):
            raise CommandError(_TOO_OLD)
        super().handle(*args, **options)
        only_a_part = options.get("app_label") or options.get("plan")
        if not only_a_part and (missing := missing_columns(connection)):
            raise CommandError(_OTHER_TABLES.format(missing=missing[0]))


def missing_columns(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the columns that our models have and the tables do not.

    The first migrations were once edited after they had landed: a database that they made before
    has seen them all, and lacks what they make today.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        found = set(cursor.fetchall())
    return [
        f"{model._meta.db_table}.{field.column}"
        for app in apps.get_app_configs()
        if _is_ours(app)
        for model in app.get_models()
        if model._meta.managed and not model._meta.proxy
        for field in model._meta.local_concrete_fields
        if (model._meta.db_table, field.column) not in found
    ]


def _is_ours(app: AppConfig) -> bool:
    return app.name.split(".")[0] in _OURS
