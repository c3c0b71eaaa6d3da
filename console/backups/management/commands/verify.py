"""`manage.py verify [log files packs balances]`: verify everything that is stored."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from console.backups import verifications

_SHOWN = 100


class Command(BaseCommand):
    """Verify the audit log, the stored files, the executed packs and the balances.

    It repairs nothing. Run it after a restore, and whenever you doubt a disk.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        says = f"Any of {', '.join(verifications.names())}; all by default."
        parser.add_argument("names", nargs="*", help=says, metavar="name")

    def handle(self, *args: Any, names: list[str], **options: Any) -> None:
        if unknown := [name for name in names if name not in verifications.names()]:
            known = ", ".join(verifications.names())
            raise CommandError(f"There is no {', '.join(unknown)}: choose of {known}.")
        try:
            problems = list(verifications.run(names or verifications.names(), self.stdout.write))
        except (OSError, OperationalError) as error:
            raise CommandError(f"The verification stopped: {error}") from error
        for problem in problems[:_SHOWN]:
            self.stderr.write(problem)
        if problems:
            raise CommandError(f"{len(problems)} problems were found.")
        self.stdout.write("Everything is in order.")
