"""`manage.py accept_secret_key --because <words>`: change the SECRET_KEY of all hosts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.core import text
from console.hosts import shared_values


class Command(BaseCommand):
    """Let the SECRET_KEY of this host be the one that all hosts must have."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        says = "The reason; the audit log keeps it."
        parser.add_argument("--because", required=True, type=text.reason, help=says)

    def handle(self, *args: Any, because: str, **options: Any) -> None:
        try:
            shared_values.accept_secret_key(because=because, by=SYSTEM)
        except shared_values.NothingToAccept as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write("Set the same SECRET_KEY on all hosts, and restart their parts.")
