"""The demo world's end: its people's passwords are published, so they may not outlive it."""

from django.db import transaction
from django.db.models import QuerySet

from api.demo import people as cast
from apikeys.keys import keys
from apikeys.lifecycle import HELD, KeyStatus
from apikeys.models import ApiKey
from console.accounts import ending
from console.accounts.actors import Actor
from console.accounts.models import User
from console.audit import log as audit


def who_can_sign_in() -> list[User]:
    """Return the people of the demo world who still have a password, whichever it is by now."""
    people = User.objects.filter(is_active=True, email__in=_addresses()).order_by("pk")
    return [person for person in people if person.has_usable_password()]


def working_keys() -> QuerySet[ApiKey]:
    """Return the keys of these people that could still open the API."""
    issued = ApiKey.objects.filter(issued_by__email__in=_addresses(), status__in=HELD)
    return issued.order_by("pk")


@transaction.atomic
def end(*, by: Actor) -> None:
    """End their passwords, authenticators, recovery codes, sessions and keys. Twice is once."""
    people, held = who_can_sign_in(), list(working_keys())
    for person in people:
        ending.end_sign_in(person, by=by)
    for key in held:
        keys.move(ApiKey.objects.locked(key), KeyStatus.REVOKED, by=by)
    if people or held:
        audit.record("demo.ended", cast.WORLD, by=by, people=len(people), keys=len(held))


def _addresses() -> list[str]:
    return [person.email for person in cast.EVERYONE]
