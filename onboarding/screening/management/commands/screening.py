"""`manage.py screening import|download|status`: import sanctions lists, and list those in force."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.core import clock
from onboarding.screening import lists, scheduled
from onboarding.screening.models import ListKind, ListVersion
from onboarding.screening.sources import SourceUnreachable


class Command(BaseCommand):
    """Import a list from a file or URL, download those in the settings, or show their status."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        one = verbs.add_parser("import", help="Import one list from a file, folder or URL.")
        one.add_argument("kind", choices=ListKind.values)
        one.add_argument("source", help="For OFAC, `sdn.csv` with its neighbours or their folder.")
        one.add_argument(
            "--accept-loss",
            action="store_true",
            help="Import it although it lacks more than 5 %% of the entries in force.",
        )
        verbs.add_parser("download", help="Download every list in SCREENING_LISTS now.")
        verbs.add_parser("status", help="Print the lists in force, and what is wrong.")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "import":
            self._import(**options)
        elif verb == "download":
            self._download()
        else:
            self._status()

    def _import(self, *, kind: str, source: str, accept_loss: bool, **_: Any) -> None:
        try:
            version = scheduled.fetch(ListKind(kind), source, accepts_loss=accept_loss, by=SYSTEM)
        except SourceUnreachable as unreachable:
            raise CommandError(f"Nothing was imported: {unreachable}") from unreachable
        if version.refused_because:
            raise CommandError(f"Nothing was imported: {version.refused_because}")
        self._print(version)

    def _download(self) -> None:
        failed = [
            error
            for kind, url in settings.SCREENING_LISTS.items()
            if (error := scheduled.download(ListKind(kind), url, by=SYSTEM))
        ]
        self._status()
        if failed:
            raise CommandError("\n".join(failed))

    def _status(self) -> None:
        states = lists.lists_state()
        if not states:
            self.stdout.write(lists.unusable())
        for state in states:
            if state.version is not None:
                self._print(state.version)
        for concern in lists.concerns():
            self.stdout.write(concern)

    def _print(self, version: ListVersion) -> None:
        self.stdout.write(
            f"{version.kind:<14} {version.entry_count:>8} entries {version.name_count:>8} names"
            f"  in force since {clock.iso(version.in_force_from or version.imported_at)}"
            f"  checked {clock.iso(version.checked_at)}  {version.sha256[:12]}"
        )
