"""Signing up, and confirming the e-mail address."""

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.accounts import address_holders
from console.accounts.actors import SYSTEM
from console.accounts.models import EmailChange, User
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotAllowed, Refused
from console.events import outbox as events

_SALT = "accounts.confirm-email"
LINK_DAYS = 3


class LinkSpent(Refused):
    """The link has expired, was altered, or is no longer needed."""

    code = "link_spent"
    status = 410


@transaction.atomic
def sign_up(*, email: str, name: str, password: str) -> User | None:
    """Create a user with an unconfirmed address. If somebody holds it, e-mail the address instead.

    An account that never confirmed it does not hold it: it gets this name and password, and only
    someone who reads the e-mails and has this password can confirm it.

    All cases look the same to whoever submitted the form (ASVS 6.3.8): the same writes, the same
    slow hash, the same page, the same cookie.
    """
    email = email.strip().lower()
    address_holders.lock(email)
    unconfirmed = address_holders.unconfirmed(email)  # first: it waits for one who confirms it
    owner, kept = address_holders.confirmed(email), address_holders.reservation(email)
    person = owner or unconfirmed or User(email=email)
    person.set_password(password)  # for equal timing only, if somebody holds the address
    if owner or kept:
        _tell_holder(person, kept)
        return None
    person.name, person.joined_at = name, clock.now()
    person.save()
    audit.record("person.signed_up", person, by=person)
    events.publish("person.signed_up", person)
    return person


def _tell_holder(person: User, kept: EmailChange | None) -> None:
    """E-mail whoever holds the address that somebody signed up with it."""
    audit.record("person.signed_up_again", person, by=SYSTEM)
    change = kept.public_id if kept else ""
    events.publish("person.signed_up_again", person, change=change)


@transaction.atomic
def send_again(email: str) -> None:
    """Send what signing up with this address sent, again."""
    address_holders.lock(email)
    if unconfirmed := address_holders.unconfirmed(email):
        send_confirmation(unconfirmed)
        return
    owner, kept = address_holders.confirmed(email), address_holders.reservation(email)
    if owner or kept:
        _tell_holder(owner or User(email=email), kept)


def confirmation_token(person: User) -> str:
    """Return the token for the link in the e-mail. It is signed, so nothing is stored."""
    return signing.dumps({"person": person.public_id, "email": person.email}, salt=_SALT)


SPENT = gettext_noop("This link no longer works. Sign in to get a new one.")


def person_of(token: str) -> User | None:
    """Return the user whose address a link confirms, or None if the link no longer works."""
    return _find(token, User.objects.all())


def _find(token: str, rows: QuerySet[User]) -> User | None:
    claim = _claim_of(token)
    if claim is None:
        return None
    return rows.filter(public_id=claim["person"], email=claim["email"]).first()


@transaction.atomic
def confirm(token: str, *, by: User) -> User:
    """Confirm the address that the token was sent to. Idempotent.

    `by` has entered the account's password, here or when signing up in this browser. Access to the
    mailbox alone is not enough: a link scanner, or the owner of an address that a stranger signed
    up with, must not confirm it. Nor must a password that was replaced by signing up again.
    """
    rows = User.objects.select_for_update(no_key=True, of=("self",))
    person = _find(token, rows)
    if person is None:
        raise LinkSpent(_(SPENT))
    if person != by:
        raise NotAllowed(_("This link is for another account. Sign out, then open it again."))
    if person.password != by.password:
        raise LinkSpent(_(SPENT))
    if person.email_confirmed_at is None:
        person.email_confirmed_at = clock.now()
        person.save(update_fields=["email_confirmed_at"])
        audit.record("person.confirmed_email", person, by=person)
    return person


def _claim_of(token: str) -> dict[str, str] | None:
    try:
        claim: dict[str, str] = signing.loads(token, salt=_SALT, max_age=LINK_DAYS * 24 * 3600)
    except signing.BadSignature:
        return None
    return claim


@transaction.atomic
def send_confirmation(person: User) -> None:
    """Send the confirmation e-mail again."""
    audit.record("person.asked_for_confirmation", person, by=person)
    events.publish("person.asked_for_confirmation", person)
