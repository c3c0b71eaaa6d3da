"""Change a user's e-mail address: request it, confirm the new one, object from the old one."""

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import factors, recipients, sessions
from console.accounts.actors import Actor
from console.accounts.models import EmailChange, User
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused
from console.events import outbox as events

_CONFIRM, _OBJECT = "accounts.confirm-new-email", "accounts.object-to-email"
CONFIRM_DAYS = 3
# Long enough for a user who is on holiday.
OBJECT_DAYS = 14


class AddressTaken(Refused):
    """Another account has this address."""

    code = "address_taken"


class OtherAccount(LinkSpent):
    """The link is for another user than the one who is signed in."""

    code = "other_account"


@transaction.atomic
def ask(person: User, email: str, *, by: User) -> None:
    """Send a link to the new address and a notice to the old one. The address does not change yet.

    If another account has the new address, only its owner learns of it, by e-mail.
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
    change = _find(token, _CONFIRM, CONFIRM_DAYS)
    if change.person != by:
        raise OtherAccount(_("This link is for another account. Sign out, then open it again."))
    if change.confirmed_at:
        raise LinkSpent(_("This link no longer works."))
    return change


@transaction.atomic
def confirm(token: str, *, by: User, keep_session: str) -> None:
    """Replace the old address with the new one, and end every other session."""
    person = User.objects.locked(by)
    change = to_confirm(token, by=person)
    _move(person, change.new_email)
    change.confirmed_at = clock.now()
    change.save(update_fields=["confirmed_at"])
    audit.record("person.changed_email", person, by=by, change=change.public_id)
    sessions.end_sessions(person, by=by, keep=keep_session)


def to_object(token: str) -> EmailChange:
    """Return the change that this objection link is for, or raise LinkSpent."""
    return _find(token, _OBJECT, OBJECT_DAYS)


@transaction.atomic
def object_to(token: str, *, by: Actor) -> None:
    """Keep or restore the old address, end every session and disable the password.

    Factors that might not countersign yet when the change was asked for, or were added later, are
    removed, because somebody else may have added them. Older second factors remain, so reading the
    old mailbox is not enough to sign in. Later changes end too, so an attacker's address cannot
    object to this.
    """
    change = to_object(token)
    person = User.objects.locked(change.person)
    change = to_object(token)  # again, now that the user is locked
    if change.confirmed_at:
        _move(person, change.old_email)
    later = person.email_changes.filter(pk__gte=change.pk, ended_at=None)
    later.update(ended_at=clock.now())
    factors.remove_new(person, since=change.asked_at, by=by)
    person.set_unusable_password()
    person.save(update_fields=["password"])
    audit.record("person.objected_to_email", person, by=by, change=change.public_id)
    sessions.end_sessions(person, by=by)


def _find(token: str, salt: str, days: int) -> EmailChange:
    try:
        public_id = signing.loads(token, salt=salt, max_age=days * 24 * 3600)
    except signing.BadSignature:
        public_id = ""
    rows = EmailChange.objects.select_related("person").filter(ended_at=None)
    change = rows.filter(public_id=public_id).first()
    if change is None:
        raise LinkSpent(_("This link no longer works."))
    return change


def _move(person: User, email: str) -> None:
    """Set a confirmed address for a locked user. Raise AddressTaken if another account has it."""
    if User.objects.filter(email=email).exclude(pk=person.pk).exists():
        raise AddressTaken(_("Another account has this address. Write to us to sort this out."))
    person.email, person.email_confirmed_at = email, clock.now()
    person.save(update_fields=["email", "email_confirmed_at"])
