"""`manage.py remove_evidence [--dry-run]`: remove evidence files that are no longer needed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from onboarding.evidence import removal


class Command(BaseCommand):
    """Do now what a job does each night, or only list the files."""

    help = "Remove evidence files of applications that ended without a contract 90 days ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Remove nothing; list the files."
        )

    def handle(self, *args: Any, dry_run: bool = False, **options: Any) -> None:
        files = list(removal.outlived())
        for file in files:
            self.stdout.write(f"{file.public_id} {file.sha256} of {file.application.public_id}")
        if not dry_run:
            removal.remove_outlived()
        self.stdout.write(f"{len(files)} files {'to remove' if dry_run else 'removed'}.")
