"""`manage.py backup FOLDER`: make a complete and verified backup while the console runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from console.backups.backing_up import back_up
from console.backups.backup_set import SetRefused
from console.backups.postgres_programs import ProgramFailed


class Command(BaseCommand):
    """Make a complete and verified backup while the console runs.

    The folder must be new or empty. Only you can read what is written there.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="Where the backup is written.")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            damaged = back_up(folder, self.stdout.write)
        except (SetRefused, ProgramFailed, OSError, OperationalError) as refused:
            raise CommandError(str(refused)) from refused
        if damaged:
            listed = "\n".join(damaged[:100])
            raise CommandError(f"{listed}\nThe backup is complete except for these files.")
        self.stdout.write(f"The backup in {folder} is complete.")
