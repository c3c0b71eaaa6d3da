"""Ending sessions: all others, or a single one; and ending every way of signing in."""

from django.db import transaction

from console.accounts.actors import Actor
from console.accounts.models import Session, User
from console.audit import log as audit


@transaction.atomic
def end_sessions(person: User, *, by: Actor, keep: str = "") -> int:
    """End all of a user's sessions except the one whose stored key is `keep`."""
    ended, _ = Session.objects.of(person).exclude(pk=keep).delete()
    audit.record("person.sessions_ended", person, by=by, ended=ended)
    return ended


@transaction.atomic
def end_session(person: User, session_id: str, *, by: User) -> bool:
    ended, _ = Session.objects.of(person).filter(public_id=session_id).delete()
    if ended:
        audit.record("person.session_ended", person, by=by, session=session_id)
    return bool(ended)


@transaction.atomic
def end_sign_in(person: User, *, by: Actor) -> None:
    """Remove everything a user signs in with here, and end their sessions. Memberships remain."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
    person.authenticators.all().delete()
    person.passkeys.all().delete()
    person.recovery_codes.all().delete()
    audit.record("person.sign_in_ended", person, by=by)
    end_sessions(person, by=by)
