"""Change a user's e-mail address: request it, confirm the new one, object from the old one."""

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from console.accounts import (
    address_holders,
    factors,
    provider_accounts,
    recipients,
    sessions,
)
from console.accounts.actors import Actor
from console.accounts.models import EmailChange, User
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused
from console.events import outbox as events

_CONFIRM, _OBJECT = "accounts.confirm-new-email", "accounts.object-to-email"
CONFIRM_DAYS = 3


class OtherAccount(LinkSpent):
    """The link is for another user than the one who is signed in."""

    code = "other_account"


@transaction.atomic
def ask(person: User, email: str, *, by: User) -> None:
    """Send a link to the new address and a notice to the old one. The address does not change yet.

    If the new address is another account's, or reserved for one, only its owner learns of it, by
    e-mail.
    """
    person = User.objects.locked(person)
    if email == person.email:
        raise Refused(_("That is your address already."))
    recipients.count_public(email)
    now = clock.now()
    person.email_changes.waiting().update(ended_at=now)
    change = EmailChange.objects.create(
        person=person, old_email=person.email, new_email=email, asked_at=now
    )
    audit.record("person.asked_for_email", person, by=by, change=change.public_id)
    events.publish("person.asked_for_email", change)


def confirmation_token(change: EmailChange) -> str:
    """Return the token of the link that goes to the new address."""
    return signing.dumps(change.public_id, salt=_CONFIRM)


def objection_token(change: EmailChange) -> str:
    """Return the token of the link that goes to the old address."""
    return signing.dumps(change.public_id, salt=_OBJECT)


def to_confirm(token: str, *, by: User) -> EmailChange:
    """Return the change that this confirmation link is for, or raise LinkSpent."""
    rows = EmailChange.objects.filter(ended_at=None)
    change = _find(rows, token, _CONFIRM, max_age=CONFIRM_DAYS * 24 * 3600)
    if change.person != by:
        raise OtherAccount(_("This link is for another account. Sign out, then open it again."))
    if change.confirmed_at:
        raise LinkSpent(_("This link no longer works."))
    return change


@transaction.atomic
def confirm(token: str, *, by: User, keep_session: str) -> None:
    """Replace the old address with the new one, and end every other session."""
    address_holders.lock(to_confirm(token, by=by).new_email)
    person = User.objects.locked(by)
    change = to_confirm(token, by=person)  # again, now that the user is locked
    address_holders.free(change.new_email, person=person)
    _move(person, change.new_email)
    change.confirmed_at = clock.now()
    change.save(update_fields=["confirmed_at"])
    audit.record("person.changed_email", person, by=by, change=change.public_id)
    sessions.end_sessions(person, by=by, keep=keep_session)


def to_object(token: str) -> EmailChange:
    """Return the change that this objection link is for, or raise LinkSpent."""
    return _find(EmailChange.objects.open_to_objection(), token, _OBJECT)


@transaction.atomic
def object_to(token: str, *, by: Actor) -> bool:
    """Shut out whoever asked for the change, then keep or restore the old address.

    Every session, the password, and each factor that somebody else may have added go: what was
    confirmed since the day before the request. Older second factors remain, so reading the old
    mailbox is not enough to sign in. Later changes end too, so an attacker's address cannot object
    to this.

    Return False if another account has confirmed the old address, which its reservation prevents.
    The account is then switched off, because its address may be an attacker's.
    """
    address_holders.lock(to_object(token).old_email)
    person = User.objects.locked(to_object(token).person)
    change = to_object(token)  # again, now that the user is locked
    later = person.email_changes.filter(pk__gte=change.pk, ended_at=None)
    later.update(ended_at=clock.now())
    factors.remove_new(person, since=change.asked_at, by=by)
    provider_accounts.unlink_new(person, since=change.asked_at, by=by)
    person.set_unusable_password()
    person.save(update_fields=["password"])
    audit.record("person.objected_to_email", person, by=by, change=change.public_id)
    sessions.end_sessions(person, by=by)
    if change.confirmed_at is None:
        return True
    try:
        address_holders.free(change.old_email, person=person)
    except address_holders.AddressTaken:
        person.is_active = False
        person.save(update_fields=["is_active"])
        return False
    _move(person, change.old_email)
    return True


def _find(
    rows: QuerySet[EmailChange], token: str, salt: str, max_age: int | None = None
) -> EmailChange:
    try:
        public_id = signing.loads(token, salt=salt, max_age=max_age)
    except signing.BadSignature:
        public_id = ""
    change = rows.select_related("person").filter(public_id=public_id).first()
    if change is None:
        raise LinkSpent(_("This link no longer works."))
    return change


def _move(person: User, email: str) -> None:
    """Set a confirmed address for a locked user."""
    person.email, person.email_confirmed_at = email, clock.now()
    person.save(update_fields=["email", "email_confirmed_at"])
