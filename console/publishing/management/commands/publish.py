"""`manage.py publish list|begin|check`: list, install and verify the versions in use."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.publishing import in_use, publications
from console.publishing.models import Publication


class Command(BaseCommand):
    """List, verify and install first versions. Staff propose and publish versions on the page."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="Print what is in use, and what is proposed.")
        verbs.add_parser("begin", help="Put what ships in use where nothing is; then check.")
        verbs.add_parser("check", help="Compare every file with what was put in use.")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "list":
            self._list()
            return
        if verb == "begin":
            publications.begin(by=SYSTEM)
        if changed := in_use.changed_files():
            raise CommandError("\n".join(changed))

    def _list(self) -> None:
        for row in Publication.objects.in_use().with_people().order_by("kind"):
            self._print(row, "in use", f"{row.proposer.name}, {row.publisher.name}")
        for row in Publication.objects.proposed().with_people().order_by("kind", "pk"):
            self._print(row, "proposed", row.proposer.name)

    def _print(self, row: Publication, status: str, who: str) -> None:
        self.stdout.write(f"{row.kind:<20} {row.version:<10} {status:<9} {row.sha256[:12]}  {who}")
