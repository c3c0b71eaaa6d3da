"""`manage.py publish list|begin|check|propose|use|withdraw`: which version of a file is in use."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.core.refusals import Refused
from console.publishing import in_use, kinds, publications
from console.publishing.kinds import Kind
from console.publishing.models import Publication


class Command(BaseCommand):
    """The same verbs as the page: one person proposes, another puts in use, each by name."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="Print what is in use, and what is proposed.")
        verbs.add_parser("begin", help="Put what ships in use where nothing is; then check.")
        verbs.add_parser("check", help="Compare every file with what was put in use.")
        for verb, does in (
            ("propose", "Propose a version."),
            ("use", "Put a proposed version in use."),
            ("withdraw", "Take a proposal back."),
        ):
            change = verbs.add_parser(verb, help=does)
            change.add_argument("kind", choices=[kind.key for kind in kinds.every()])
            change.add_argument("version")
            change.add_argument("--by", required=True, help="The e-mail address of who does it.")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "begin":
            publications.begin(by=SYSTEM)
        if verb in ("begin", "check"):
            if changed := in_use.changed_files():
                raise CommandError("\n".join(changed))
            return
        if verb != "list":
            self._change(verb, options["kind"], options["version"], options["by"])
        self._list()

    def _change(self, verb: str, key: str, version: str, email: str) -> None:
        kind = kinds.find(key)
        person = User.objects.filter(email=email.lower()).first()
        if kind is None or person is None:
            raise CommandError("Nobody with that address has signed up.")
        try:
            if verb == "propose":
                publications.propose(kind, version, by=person)
            elif verb == "use":
                publications.put_in_use(_proposal(kind, version), by=person)
            else:
                publications.withdraw(_proposal(kind, version), by=person)
        except Refused as refused:
            reasons = [blocker.message for blocker in refused.blockers]
            raise CommandError("\n".join([refused.message, *reasons])) from refused

    def _list(self) -> None:
        for row in Publication.objects.in_use().with_people().order_by("kind"):
            self._print(row, "in use", f"{row.proposer.name}, {row.publisher.name}")
        for row in Publication.objects.proposed().with_people().order_by("kind", "pk"):
            self._print(row, "proposed", row.proposer.name)

    def _print(self, row: Publication, status: str, who: str) -> None:
        self.stdout.write(f"{row.kind:<20} {row.version:<10} {status:<9} {row.sha256[:12]}  {who}")


def _proposal(kind: Kind, version: str) -> Publication:
    rows = Publication.objects.filter(kind=kind.key, version=version).proposed()
    found = rows.first()
    if found is None:
        raise CommandError(f"{kind.name} {version} is not proposed.")
    return found
