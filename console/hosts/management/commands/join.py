"""`manage.py join PART`: check that a part may run on this host, before it starts."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.core import blobs
from console.hosts import reports, shared_values


class Command(BaseCommand):
    """Refuse a part if people of a demo can sign in, or if this host differs from the others.

    The first host of an installation stores what later ones must have too.
    """

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", help="The part that is about to start.")

    def handle(self, *args: Any, part: str, **options: Any) -> None:
        call_command("demo", "check")
        try:
            shared_values.join(by=SYSTEM)
        except (blobs.StoreUnavailable, blobs.BlobDamaged) as error:
            raise CommandError(str(error)) from error
        if wrong := reports.report(part):
            hint = "`access-console doctor` compares all hosts; see docs/operations.md."
            raise CommandError("\n".join([*wrong, hint]))
