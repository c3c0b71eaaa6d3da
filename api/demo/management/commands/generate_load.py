"""`manage.py generate_load --businesses N`: insert bulk test data, to see lists when they are long.

It needs the role that owns the tables, and is refused outside the demo.
"""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from api.demo import load


class Command(BaseCommand):
    """Insert businesses with applications, packs, keys, logs, events and deliveries."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--businesses", type=int, required=True)

    def handle(self, *args: Any, businesses: int, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Test data is for the demo only: DEMO is not 1.")
        began = time.monotonic()

        def say(what: str) -> None:
            self.stdout.write(f"{time.monotonic() - began:6.1f} s  {what}")

        connection.ensure_connection()
        load.generate(connection.connection, businesses, say)
        say("done")
