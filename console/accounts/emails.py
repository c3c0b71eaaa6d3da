"""Account e-mails, sent by a worker after commit, with links that are created at that time."""

from collections.abc import Callable
from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import (
    address_holders,
    email_changes,
    mailboxes,
    members,
    passwords,
    recipients,
    signup,
    staff,
)
from console.accounts.models import EmailChange, Invitation, User
from console.accounts.models.mail import OBJECTION
from console.accounts.roles import Role
from console.core.links import holds_web_address
from console.events.models import Event
from console.shell import mail

# Events that notify a user about their account (ASVS 6.3.7): event, then e-mail template.
NOTICES = {
    "person.changed_password": "changed_password",
    "person.password_guessed": "password_guessed",
    "person.code_guessed": "code_guessed",
    "person.set_up_authenticator": "set_up_authenticator",
    "person.added_passkey": "added_passkey",
    "person.removed_passkey": "removed_passkey",
    "person.renewed_recovery_codes": "renewed_recovery_codes",
    "person.used_recovery_code": "used_recovery_code",
}


def confirm_address(event: Event) -> None:
    """Send the link that confirms an e-mail address."""
    person = User.objects.get(public_id=event.subject_id)
    path = reverse("accounts:confirm_email", args=[signup.confirmation_token(person)])
    _from_a_form("confirm_email", person, path)


def reset_password(event: Event) -> None:
    """Send the link that sets a new password. Send nothing if the user does not exist."""
    person = User.objects.filter(public_id=event.subject_id).first()
    if person is not None and recipients.counts_unconfirmed(person):
        path = reverse("accounts:reset", args=[person.public_id, passwords.reset_token(person)])
        _from_a_form("reset_password", person, path, within=recipients.RESETS)


def invite(event: Event) -> None:
    """Send an invitation, unless it has been withdrawn or accepted meanwhile."""
    invitation = Invitation.objects.open().filter(public_id=event.subject_id).first()
    if invitation is not None:
        path = reverse("accounts:invitation", args=[members.invitation_token(invitation)])
        template = "invitation_to_sign" if invitation.name else "invitation"
        not_me = recipients.not_me_path(invitation.email, invitation.business)
        inviter, address = _inviter(invitation.invited_by)
        sender = f"{inviter} ({address})" if address else inviter
        about = {"inviter": inviter, "sender": sender, "path": path, "not_me": not_me}
        mail.send(template, invitation.email, {"invitation": invitation, **about})


def _inviter(person: User) -> tuple[str, str]:
    """Return an inviter's display name and e-mail address, neither of which may look like a link.

    Old accounts may have a name or an address that is refused today. Then use the address instead
    of the name, or a neutral word.
    """
    address = "" if mailboxes.objection(person.email) else person.email
    if holds_web_address(person.name):
        return address or _("A colleague"), ""
    return person.name, address


def signed_up_again(event: Event) -> None:
    """Notify an address's owner that somebody tried to sign up with it, which they cannot."""
    kept = EmailChange.objects.filter(public_id=event.payload.get("change")).first()
    if kept is not None:
        _tell_reserved(kept)
    else:
        person = User.objects.get(public_id=event.subject_id)
        _from_a_form("signed_up_again", person, "")


def _tell_reserved(kept: EmailChange) -> None:
    """Say until when an address is kept for the account that had it before."""
    email = kept.old_email
    if recipients.takes_from_public_pages(email):
        about = {"until": kept.objection_ends_at, "not_me": recipients.not_me_path(email)}
        mail.send("address_reserved", email, about)


def _from_a_form(
    template: str, person: User, path: str, *, within: timedelta = recipients.PUBLIC_PAGES
) -> None:
    """Send an e-mail that a public form caused, unless its recipient has opted out."""
    if recipients.takes_from_public_pages(person.email, within):
        not_me = recipients.not_me_path(person.email)
        mail.send(template, person.email, {"person": person, "path": path, "not_me": not_me})


def confirm_new_address(event: Event) -> None:
    """Send the link that confirms a new address, or a notice if another account holds it."""
    rows = EmailChange.objects.waiting().select_related("person")
    change = rows.filter(public_id=event.subject_id).first()
    if change is None:
        return
    holder = address_holders.confirmed(change.new_email)
    kept = address_holders.reservation(change.new_email, besides=change.person)
    if holder is not None:
        _from_a_form("signed_up_again", holder, "")
    elif kept is not None:
        _tell_reserved(kept)
    elif recipients.takes_from_public_pages(change.new_email):
        token = email_changes.confirmation_token(change)
        about = {
            "change": change,
            "path": reverse("accounts:confirm_new_email", args=[token]),
            "not_me": recipients.not_me_path(change.new_email),
        }
        mail.send("confirm_new_email", change.new_email, about)


def tell_old_address(event: Event) -> None:
    """Notify the old address of the requested change, with a link to object.

    The new address may have been confirmed before this e-mail was sent.
    """
    rows = EmailChange.objects.open_to_objection().select_related("person")
    change = rows.filter(public_id=event.subject_id).first()
    if change is not None:
        path = reverse("accounts:object_to_email", args=[email_changes.objection_token(change)])
        about = {"change": change, "path": path, "days": OBJECTION.days}
        mail.send("email_change_asked", change.old_email, about)


def tell_auditors(event: Event) -> None:
    """Notify every auditor that a user was given a staff role or lost one."""
    person = User.objects.get(public_id=event.subject_id)
    given = event.kind == "staff.role_given"
    role = Role(event.payload["role"]).label
    about = {"person": person, "role": role, "given": given, "because": event.payload["because"]}
    for address in staff.addresses_of(Role.AUDITOR):
        mail.send("staff_changed", address, about)


def notice(template: str) -> Callable[[Event], None]:
    """Return a listener that sends one e-mail to the user an event is about.

    Unconfirmed addresses get none: a stranger may have signed up with somebody else's address, and
    could cause the e-mail by guessing passwords of that account.
    """

    def send(event: Event) -> None:
        person = User.objects.filter(public_id=event.subject_id).first()
        # For timing, the same event is published when no such user exists.
        if person is not None and person.email_confirmed_at is not None:
            mail.send(template, person.email, {"person": person, "at": event.happened_at})

    return send
