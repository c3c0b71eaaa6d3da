"""`manage.py database_privileges`: set the privileges on the database that a dump lacks."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from console.core import database_privileges


class Command(BaseCommand):
    """Set the privileges on the database that a dump lacks.

    Run it as the owner, after `migrate` and after every restore by other means.
    """

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        connection.ensure_connection()
        database_privileges.apply(connection.connection)
