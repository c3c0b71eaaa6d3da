"""Limits on e-mails caused by somebody else: how many, and none after “This is not me”.

Two kinds of e-mail have no “not me” link and no such limit. E-mails from a business to its members
are one: members confirmed their address and can leave the business. Warnings about guessed
passwords or one-time codes are the other: an attacker with access to the mailbox could use the link
to stop them. Warnings go once a day, to confirmed addresses only.
"""

import logging
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import limits, throttle
from console.accounts.actors import Actor
from console.accounts.mailboxes import mailbox
from console.accounts.models import Business, Invitation, StoppedMail, User
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused, TooMany
from console.core.text import isolated

log = logging.getLogger(__name__)

_SALT = "accounts.not-me"
LINK_DAYS = 30
# Keep this short: while it lasts, the user cannot reset their own password.
PUBLIC_PAGES = timedelta(days=30)
# Repeating it within this time has no further effect.
_SAME_ANSWER = timedelta(days=1)
RESETS = timedelta(days=1)


class Unwanted(Refused):
    """The owner of this address wants no e-mails from the business."""

    code = "unwanted"


class _Address:
    """Stands in for an unverified address, which is never logged."""

    public_id = "address"


def count_public(email: str) -> None:
    """Count one e-mail caused by a public form, whether it is sent or not."""
    throttle.take_for("mail-to", mailbox(email), limits.PUBLIC_MAIL_PER_RECIPIENT)


def counts_reset(email: str) -> bool:
    """Count one password reset link, and tell whether it may be sent.

    Counted per account, not per mailbox, so requests for other spellings do not use it up.
    """
    return _passes("reset-to", _account(email), limits.RESETS_PER_RECIPIENT)


def forget_reset(email: str) -> None:
    """Allow the next reset link at once, because a reset or sign-in invalidated the last one."""
    throttle.forget("reset-to", _account(email))


def counts_unconfirmed(person: User) -> bool:
    """Count a link to an unconfirmed user, per mailbox, where a stranger may own many accounts."""
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
    """Count one invitation for its recipient, business and sender, or raise Unwanted or TooMany."""
    if not takes_from(business, email):
        raise Unwanted(
            _("%(email)s does not want e-mails from %(name)s, so we cannot send this one.")
            % {"email": email, "name": isolated(business.name)}
        )
    throttle.take_for("invited", mailbox(email), limits.INVITATIONS_PER_RECIPIENT)
    throttle.take_for("invites-of", business.public_id, limits.INVITATIONS_PER_BUSINESS)
    if isinstance(by, User):
        throttle.take_for("invites-by", by.public_id, limits.INVITATIONS_PER_SENDER)


def counts_notice(template: str, business: Business, email: str) -> bool:
    """Count one e-mail about a business to a contact named in its answers.

    Return False to drop it, if over a limit; it then counts for neither. The caller checks for “not
    me” first.
    """
    try:
        with transaction.atomic():
            throttle.take_for("noticed", mailbox(email), limits.NOTICES_PER_RECIPIENT)
            throttle.take_for("notices-of", business.public_id, limits.NOTICES_PER_BUSINESS)
    except TooMany:
        log.warning("mail_over_limit", extra={"business": business.public_id, "template": template})
        return False
    return True


def takes_from_public_pages(email: str, within: timedelta = PUBLIC_PAGES) -> bool:
    """Tell whether an address still accepts e-mails caused by public forms."""
    since = clock.now() - within
    return not _stopped(email).filter(business=None, stopped_at__gt=since).exists()


def takes_from(business: Business, email: str) -> bool:
    """Tell whether an address accepts e-mails from a business."""
    return not _stopped(email).filter(business=business).exists()


def _stopped(email: str) -> QuerySet[StoppedMail]:
    """Return what the owner of this mailbox has stopped."""
    return StoppedMail.objects.filter(email=mailbox(email))


def not_me_path(email: str, business: Business | None = None) -> str:
    """Return the path of the “not me” link. The token is signed, so nothing is stored."""
    claim = [email, business.public_id if business else ""]
    return reverse("accounts:not_me", args=[signing.dumps(claim, salt=_SALT)])


def read(token: str) -> tuple[str, str]:
    """Return the address and the business id from a link's token, or raise LinkSpent."""
    try:
        email, business_id = signing.loads(token, salt=_SALT, max_age=LINK_DAYS * 24 * 3600)
    except signing.BadSignature:
        raise LinkSpent(_("This link no longer works.")) from None
    return email, business_id


@transaction.atomic
def stop(token: str, *, by: Actor) -> None:
    """Stop e-mails from the business, or from our public pages, to this mailbox. Idempotent.

    Also withdraws the business's open invitations to any spelling of the address. It needs no
    account and does not reveal whether one exists.
    """
    email, business_id = read(token)
    business = Business.objects.filter(public_id=business_id).first() if business_id else None
    if business is not None:
        business = Business.objects.locked(business)  # block concurrent invitations and acceptances
        for invitation in Invitation.objects.open().filter(business=business):
            if mailbox(invitation.email) == mailbox(email):
                withdraw(invitation, by=by)
    now = clock.now()
    stopped, is_new = StoppedMail.objects.get_or_create(
        email=mailbox(email), business=business, defaults={"stopped_at": now}
    )
    if not is_new and now - stopped.stopped_at < _SAME_ANSWER:
        return  # repeated clicks write no further rows
    stopped.stopped_at = now
    stopped.save(update_fields=["stopped_at"])
    about = business or _Address()
    audit.record("mail.stopped", about, by=by, business=business)


def withdraw(invitation: Invitation, *, by: Actor) -> None:
    """Withdraw an invitation if it is still open. The caller has checked permissions."""
    if Invitation.objects.open().filter(pk=invitation.pk).update(withdrawn_at=clock.now()):
        audit.record("member.invitation_withdrawn", invitation, by=by)
