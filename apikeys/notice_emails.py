"""E-mails to the members of a business and to the technical contact of its questionnaire."""

from collections.abc import Mapping
from typing import Any

from console.accounts import details, recipients
from console.accounts.models import Business, Membership, OptionalMail
from console.accounts.roles import Role
from console.shell import mail
from onboarding.models import Application

MANAGERS = (Role.OWNER, Role.ADMINISTRATOR)


def people(business: Business, *roles: Role) -> list[str]:
    """Return the addresses of the members who have one of these roles and an open account."""
    rows = Membership.objects.filter(business=business, role__in=roles, user__is_active=True)
    return sorted(set(rows.values_list("user__email", flat=True)))


def everyone(business: Business) -> list[str]:
    """Return the addresses of all members of a business."""
    return people(business, *Role)


def send(
    template: str,
    business: Business,
    context: Mapping[str, Any],
    *roles: Role,
    for_contact: Mapping[str, Any] | None = None,
    optional: OptionalMail | None = None,
) -> None:
    """Send to members with one of these roles, and to the technical contact if not among them.

    The contact may never have heard of the business: `for_contact` says what they read instead.
    People can turn a kind of e-mail off where it is `optional`.
    """
    known = people(business, *roles)
    for address in details.who_want(optional, known) if optional else known:
        mail.send(template, address, dict(context))
    contact = technical_contact(business)
    if contact and contact not in known and recipients.counts_notice(template, business, contact):
        not_me = recipients.not_me_path(contact, business)
        mail.send(template, contact, {**context, **(for_contact or {}), "not_me": not_me})


def technical_contact(business: Business) -> str:
    """Return the technical contact of the newest submission, unless the address opted out."""
    rows = Application.objects.filter(business=business).exclude(submission=None)
    newest = rows.select_related("submission").order_by("-pk").first()
    answers = newest.submission.answers if newest and newest.submission else {}
    address = str(answers.get("pr_tech_email", "")).lower()
    return address if address and recipients.takes_from(business, address) else ""
