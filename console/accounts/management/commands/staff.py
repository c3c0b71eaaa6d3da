"""`manage.py staff list|give|take|unlink`: list staff, give or remove roles, unlink accounts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.accounts import provider_accounts, staff
from console.accounts.actors import SYSTEM
from console.accounts.mailboxes import as_shown
from console.accounts.models import Membership, User
from console.accounts.roles import STAFF, Role
from console.core import text

_CHANGES = {
    "give": "Give a role.",
    "take": "Take a role.",
    "unlink": "Unlink an account from the OpenID provider, and take the roles that groups gave.",
}


class Command(BaseCommand):
    """List our staff, give and take roles, and unlink accounts from the OpenID provider.

    The audit log keeps each change with its reason. Auditors get an e-mail about each role.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="Print everybody with a role on our staff.")
        for verb, summary in _CHANGES.items():
            change = verbs.add_parser(verb, help=summary)
            change.add_argument("email", help="Of somebody who has signed up and confirmed it.")
            if verb != "unlink":
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
        because = options["because"]
        if verb == "unlink":
            if not provider_accounts.unlink(person, by=SYSTEM, because=because):
                raise CommandError("That account is not linked to the OpenID provider.")
        else:
            change = provider_accounts.give_by_command if verb == "give" else staff.take_role
            change(person, Role(options["role"]), by=SYSTEM, because=because)
        self._list()

    def _list(self) -> None:
        held = Membership.objects.filter(business=None).select_related("user")
        for one in held.order_by("user__email", "role"):
            self.stdout.write(f"{one.user.email:<40} {one.role}")
