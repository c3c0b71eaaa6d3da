"""`manage.py staff list|give|take`: list staff, and give or remove staff roles."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts import provider_accounts, staff
from console.accounts.actors import SYSTEM
from console.accounts.mailboxes import as_shown
from console.accounts.models import Membership, User
from console.accounts.roles import STAFF, Role
from console.core import text


class Command(BaseCommand):
    """Each change is logged with its reason and e-mailed to every auditor."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="Print everybody with a role on our staff.")
        for verb in ("give", "take"):
            change = verbs.add_parser(verb, help=f"{verb.capitalize()} a role.")
            change.add_argument("email", help="Of somebody who has signed up and confirmed it.")
            change.add_argument("role", choices=[str(role) for role in STAFF])
            says = "The reason; the log keeps it."
            change.add_argument("--because", required=True, type=text.reason, help=says)

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "list":
            self._list()
            return
        person = User.objects.filter(email=as_shown(options["email"].lower())).first()
        if person is None or person.email_confirmed_at is None:
            raise CommandError("Nobody with that address has signed up and confirmed it.")
        change = provider_accounts.give_by_command if verb == "give" else staff.take_role
        change(person, Role(options["role"]), by=SYSTEM, because=options["because"])
        self._list()

    def _list(self) -> None:
        held = Membership.objects.filter(business=None).select_related("user")
        for one in held.order_by("user__email", "role"):
            self.stdout.write(f"{one.user.email:<40} {one.role}")
