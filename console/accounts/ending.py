"""End every way of signing in that a person has."""

from django.db import transaction

from console.accounts import sessions
from console.accounts.actors import Actor
from console.accounts.models import User
from console.audit import log as audit


@transaction.atomic
def end_sign_in(person: User, *, by: Actor) -> None:
    """End a person's password, authenticators, recovery codes and sessions. They stay a member."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
    person.authenticators.all().delete()
    person.recovery_codes.all().delete()
    audit.record("person.sign_in_ended", person, by=by)
    sessions.end_sessions(person, by=by)
