"""Resetting and changing passwords. A reset removes second factors of less than a day."""

from contextlib import suppress

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import factors, recipients, sessions, sign_in_limits
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events


@transaction.atomic
def ask_for_reset(email: str) -> None:
    """Send a reset link if the address is known, without revealing whether it is.

    For an unknown address, and while an earlier link still works, write the same records about a
    user who does not exist, so it takes as long.
    """
    person = User.objects.filter(email=email.strip().lower(), is_active=True).first() or User()
    if not recipients.counts_reset(email):
        person = User()
    audit.record("person.asked_for_reset", person, by=SYSTEM)
    events.publish("person.asked_for_reset", person)


class ResetLinkSpent(LinkSpent):
    """The reset link has expired, or a sign-in or reset has made it invalid."""

    code = "reset_link_spent"


def reset_token(person: User) -> str:
    """Return a reset link's token, valid for an hour or until the next sign-in or reset."""
    return default_token_generator.make_token(person)


def person_of_reset(public_id: str, token: str) -> User:
    """Return the user whose password the link may set, or raise ResetLinkSpent."""
    person = User.objects.filter(public_id=public_id, is_active=True).first()
    if person is None or not default_token_generator.check_token(person, token):
        raise ResetLinkSpent(_("This link no longer works. Ask for a new one."))
    return person


@transaction.atomic
def reset(public_id: str, token: str, password: str) -> User:
    """Set a new password by link. This ends every session and confirms the address.

    Factors that are less than a day old are removed, because somebody else may have added them.
    Older second factors remain, so reading the mailbox is not enough to sign in.
    """
    with suppress(User.DoesNotExist):  # whoever confirmed this address meanwhile removed it
        User.objects.locked(person_of_reset(public_id, token))
    person = person_of_reset(public_id, token)  # again, now that the user is locked
    factors.remove_new(person, since=clock.now(), by=person)
    person.email_confirmed_at = person.email_confirmed_at or clock.now()
    return _set(person, password, code="person.reset_password", by=person)


@transaction.atomic
def change(person: User, password: str, *, by: User, keep_session: str = "") -> User:
    """Set a new password, and end all other sessions."""
    return _set(person, password, code="person.changed_password", by=by, keep=keep_session)


def _set(person: User, password: str, *, code: str, by: User, keep: str = "") -> User:
    person.set_password(password)
    person.save(update_fields=["password", "email_confirmed_at"])
    sign_in_limits.forget(sign_in_limits.PASSWORD, person.email)
    recipients.forget_reset(person.email)
    audit.record(code, person, by=by)
    events.publish("person.changed_password", person)
    sessions.end_sessions(person, by=by, keep=keep)
    return person
