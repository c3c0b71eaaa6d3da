"""Disable the demo accounts, because their credentials are public.

The passwords of the demo's people are published. So are the e-mails of anyone who signed up in the
demo, including links to reset their password.
"""

from django.db import transaction
from django.db.models import Q, QuerySet

from api.demo import people as cast
from api.demo import world
from apikeys.keys import keys
from apikeys.lifecycle import HELD, KeyStatus
from apikeys.models import ApiKey
from console.accounts import sessions, staff
from console.accounts.actors import Actor
from console.accounts.models import Membership, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.shell.models import DemoMail


def who_can_sign_in() -> list[User]:
    """Return the active users with a public password or public e-mails who can still sign in."""
    people = User.objects.filter(_known_to_all("email"), is_active=True).order_by("pk")
    return [person for person in people if person.has_usable_password()]


def working_keys() -> QuerySet[ApiKey]:
    """Return the working keys of these people and of the demo businesses."""
    theirs = Q(grant__business__public_id__in=world.made().values())
    of_demo = ApiKey.objects.filter(theirs | _known_to_all("issued_by__email"))
    return of_demo.filter(status__in=HELD).order_by("pk")


@transaction.atomic
def end(*, by: Actor) -> None:
    """End their passwords, authenticators, recovery codes, sessions, keys and staff roles.

    Safe to repeat. Demo e-mails are deleted too; people with an address of their own can then reset
    their password.
    """
    people, held = who_can_sign_in(), list(working_keys())
    for person in people:
        sessions.end_sign_in(person, by=by)
    for membership in _staff_roles():
        staff.take_role(membership.user, Role(membership.role), by=by)
    for key in held:
        keys.move(ApiKey.objects.locked(key), KeyStatus.REVOKED, by=by)
    DemoMail.objects.all().delete()
    if people or held:
        audit.record("demo.ended", cast.WORLD, by=by, people=len(people), keys=len(held))


def _staff_roles() -> list[Membership]:
    """Return their staff roles, which would otherwise still receive notices."""
    rows = Membership.objects.filter(_known_to_all("user__email"), business=None)
    return list(rows.order_by("pk").select_related("user"))


def _known_to_all(email: str) -> Q:
    """Match rows whose e-mail address is a demo person's, or received demo e-mail."""
    cast_of_it = [person.email for person in cast.EVERYONE]
    mailed = DemoMail.objects.values("to")
    return Q(**{f"{email}__in": cast_of_it}) | Q(**{f"{email}__in": mailed})
