"""`manage.py accept_restore --because <words>`: accept that a restore lost published heads."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.accounts.models import Session
from console.audit import heads
from console.core import text


class Command(BaseCommand):
    """Accept that a restore lost published heads of the audit log.

    The audit log keeps the reason, and `audit verify` prints it from then on.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        says = "The last entry that was restored; by default the last of the log."
        parser.add_argument("--count", type=int, help=says)
        says = "The reason; the log keeps it."
        parser.add_argument("--because", required=True, type=text.reason, help=says)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restore = heads.accept_restore(
                count=options["count"], because=options["because"], by=SYSTEM
            )
        except heads.NotRestored as refused:
            raise CommandError(str(refused)) from refused
        Session.objects.all().delete()  # some may have ended later than the restored moment
        self.stdout.write(str(restore))
