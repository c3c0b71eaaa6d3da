"""To whom e-mail may go that somebody else caused: how often, and not to who said “not me”.

What a business tells its own members carries no “not me” and is not counted: who confirmed an
address and joined leaves the business to hear no more. Nor do the warnings that somebody guesses
at a password or at one-time codes: whoever reads the mail of a person could stop them, and with
them the news of an attack. Each goes once a day to addresses that were confirmed, and to no others.
"""

import logging
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from console.accounts import limits, throttle
from console.accounts.actors import Actor
from console.accounts.mailboxes import mailbox
from console.accounts.models import Business, Invitation, StoppedMail, User
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused, TooMany

log = logging.getLogger(__name__)

_SALT = "accounts.not-me"
LINK_DAYS = 30
# Who gets no reset any more could not come back to an account of their own: so it ends soon.
PUBLIC_PAGES = timedelta(days=30)
# Saying it again within so long is the same answer.
_SAME_ANSWER = timedelta(days=1)
RESETS = timedelta(days=1)


class Unwanted(Refused):
    """Whoever has this address wants no e-mail from the business."""

    code = "unwanted"


class _Address:
    """What the log calls an address that is perhaps nobody's: nothing of it."""

    public_id = "address"


def count_public(email: str) -> None:
    """Count one e-mail that a form without an account causes, whether one is sent or not."""
    throttle.take_for("mail-to", mailbox(email), limits.PUBLIC_MAIL_PER_RECIPIENT)


def counts_reset(email: str) -> bool:
    """Count one link to set a new password; tell whether it is sent.

    Counted for the account, not for the mailbox: nobody uses it up by asking for other spellings.
    """
    return _passes("reset-to", _account(email), limits.RESETS_PER_RECIPIENT)


def forget_reset(email: str) -> None:
    """Let the next link be sent at once: a reset or a sign-in has ended the one before."""
    throttle.forget("reset-to", _account(email))


def counts_unconfirmed(person: User) -> bool:
    """Count a link to who never confirmed: a stranger may hold many accounts at one mailbox."""
    if person.email_confirmed_at is not None:
        return True
    return _passes("reset-new", mailbox(person.email), limits.PUBLIC_MAIL_PER_RECIPIENT)


def _account(email: str) -> str:
    return email.strip().lower()


def _passes(what: str, name: str, rate: limits.Rate) -> bool:
    try:
        throttle.take_for(what, name, rate)
    except TooMany:
        return False
    return True


def count_invitation(business: Business, email: str, *, by: Actor) -> None:
    """Count one invitation for whom it goes to, who sends it and for which business, or refuse."""
    if not takes_from(business, email):
        raise Unwanted(
            f"We send no more e-mail from {business.name} to {email}: it was not wanted."
        )
    throttle.take_for("invited", mailbox(email), limits.INVITATIONS_PER_RECIPIENT)
    throttle.take_for("invites-of", business.public_id, limits.INVITATIONS_PER_BUSINESS)
    if isinstance(by, User):
        throttle.take_for("invites-by", by.public_id, limits.INVITATIONS_PER_SENDER)


def count_notice(business: Business, email: str) -> None:
    """Count one e-mail about a business to whom its answers name, or refuse: `TooMany`.

    One that is refused counts for neither. Whether the address said “not me” is asked before.
    """
    with transaction.atomic():
        throttle.take_for("noticed", mailbox(email), limits.NOTICES_PER_RECIPIENT)
        throttle.take_for("notices-of", business.public_id, limits.NOTICES_PER_BUSINESS)


def counts_notice(template: str, business: Business, email: str) -> bool:
    """Count one e-mail about a business; one too many is dropped: it is worth no retry."""
    try:
        count_notice(business, email)
    except TooMany:
        log.warning("mail_over_limit", extra={"business": business.public_id, "template": template})
        return False
    return True


def takes_from_public_pages(email: str, within: timedelta = PUBLIC_PAGES) -> bool:
    """Tell whether an address still takes e-mail that a form without an account caused."""
    since = clock.now() - within
    return not _stopped(email).filter(business=None, stopped_at__gt=since).exists()


def takes_from(business: Business, email: str) -> bool:
    """Tell whether an address takes e-mail from a business: whoever has it did not say no."""
    return not _stopped(email).filter(business=business).exists()


def _stopped(email: str) -> QuerySet[StoppedMail]:
    """Return what whoever has this mailbox said."""
    return StoppedMail.objects.filter(email=mailbox(email))


def not_me_path(email: str, business: Business | None = None) -> str:
    """Return the link that stands in such an e-mail. It is signed, so nothing is stored."""
    claim = [email, business.public_id if business else ""]
    return reverse("accounts:not_me", args=[signing.dumps(claim, salt=_SALT)])


def read(token: str) -> tuple[str, str]:
    """Return the address and the business of a link, or refuse."""
    try:
        email, business_id = signing.loads(token, salt=_SALT, max_age=LINK_DAYS * 24 * 3600)
    except signing.BadSignature:
        raise LinkSpent("This link does not work any more.") from None
    return email, business_id


@transaction.atomic
def stop(token: str, *, by: Actor) -> None:
    """Send nothing more from that business, or from our public pages, to this mailbox.

    What the business offers it, however it was spelled, is taken back. Twice is once. It asks for
    no account, and says nothing about one.
    """
    email, business_id = read(token)
    business = Business.objects.filter(public_id=business_id).first() if business_id else None
    if business is not None:
        business = Business.objects.locked(business)  # nobody invites or accepts meanwhile
        for invitation in Invitation.objects.open().filter(business=business):
            if mailbox(invitation.email) == mailbox(email):
                withdraw(invitation, by=by)
    now = clock.now()
    stopped, is_new = StoppedMail.objects.get_or_create(
        email=mailbox(email), business=business, defaults={"stopped_at": now}
    )
    if not is_new and now - stopped.stopped_at < _SAME_ANSWER:
        return  # whoever presses on and on writes no more rows
    stopped.stopped_at = now
    stopped.save(update_fields=["stopped_at"])
    about = business or _Address()
    audit.record("mail.stopped", about, by=by, business=business)


def withdraw(invitation: Invitation, *, by: Actor) -> None:
    """Take an invitation back, unless it has ended; its verb asked who may. Twice is once."""
    if Invitation.objects.open().filter(pk=invitation.pk).update(withdrawn_at=clock.now()):
        audit.record("member.invitation_withdrawn", invitation, by=by)
