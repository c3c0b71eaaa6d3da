"""`manage.py check`, which says in a sentence that a database cannot be asked yet."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import check
from django.db import OperationalError, ProgrammingError


class Command(check.Command):
    """Run Django's checks and ours."""

    def handle(self, *app_labels: Any, **options: Any) -> None:
        try:
            super().handle(*app_labels, **options)
        except OperationalError as error:
            raise CommandError(f"The database cannot be asked: {error}") from error
        except ProgrammingError as error:
            raise CommandError(
                "The database lacks tables. Start access-console-prepare, which creates them, or "
                "leave out --database."
            ) from error
