"""Audit log messages about users and businesses."""

from django.utils.translation import gettext_noop as _

# The reasons of compliance for a decision about a business.
CONFIDENTIAL = ("business.suspended", "business.active", "business.closed")
SENTENCES = {
    "person.signed_up": _("{actor} signed up"),
    "person.signed_up_again": _("Somebody tried to sign up with a known address, {subject}"),
    "person.confirmed_email": _("{actor} confirmed their e-mail address"),
    "person.asked_for_confirmation": _("{actor} asked for the confirmation e-mail again"),
    "person.gave_password": _("{actor} entered the right password and was asked for a code"),
    "person.signed_in": _("{actor} signed in"),
    "person.signed_out": _("{actor} signed out"),
    "person.session_ended": _("{actor} ended one session of {subject}"),
    "person.sessions_ended": _("{actor} ended sessions of {subject}"),
    "person.sign_in_ended": _("{actor} stopped {subject} from signing in"),
    "person.asked_for_reset": _("Somebody asked to reset a password, {subject}"),
    "person.password_guessed": _("Too many wrong passwords were entered for an account, {subject}"),
    "person.code_guessed": _(
        "Too many wrong one-time codes were entered for an account, {subject}"
    ),
    "person.reset_password": _("{actor} set a new password with a link"),
    "person.changed_password": _("{actor} changed their password"),
    "person.password_hashed_again": _("The password of {subject} was hashed in today's way"),
    "person.changed_details": _("{actor} changed their name, time zone or e-mail choices"),
    "person.asked_for_email": _("{actor} asked for another e-mail address"),
    "person.changed_email": _("{actor} changed their e-mail address"),
    "person.objected_to_email": _("Somebody objected to a new e-mail address, {subject}"),
    "person.began_authenticator": _("{actor} started to set up an authenticator app"),
    "person.set_up_authenticator": _("{actor} set up an authenticator app"),
    "person.removed_authenticator": _("{actor} removed an authenticator app"),
    "person.added_passkey": _("{actor} added a passkey"),
    "person.linked_provider": _("{actor} linked {subject} to the OpenID provider"),
    "person.unlinked_provider": _("{actor} unlinked {subject} from the OpenID provider"),
    "person.removed_passkey": _("{actor} removed a passkey"),
    "person.renewed_recovery_codes": _("{actor} made new recovery codes"),
    "person.used_recovery_code": _("{actor} used a recovery code"),
    "person.confirmed_it_is_them": _("{actor} confirmed who they are"),
    "business.registered": _("{actor} registered {subject}"),
    "business.suspended": _("{actor} suspended {subject}"),
    "business.active": _("{actor} restored {subject}"),
    "business.closed": _("{actor} closed {subject}"),
    "business.account_manager_set": _("{actor} set the account manager of {subject}"),
    "business.renamed": _("{actor} renamed {subject}"),
    "mail.stopped": _("{actor} stopped e-mails like one they received, {subject}"),
    "member.invited": _("{actor} sent the invitation {subject}"),
    "member.joined": _("{actor} joined"),
    "member.invitation_withdrawn": _("{actor} withdrew the invitation {subject}"),
    "member.roles_changed": _("{actor} changed the roles of {subject}"),
    "staff.role_given": _("{actor} gave {subject} a staff role"),
    "staff.role_taken": _("{actor} removed a staff role from {subject}"),
}
