"""E-mails to the people of a business, and to the technical contact that its answers name."""

import logging
from collections.abc import Mapping
from typing import Any

from console.accounts import recipients
from console.accounts.models import Business, Membership
from console.accounts.roles import Role
from console.core.refusals import TooMany
from console.shell import mail
from onboarding.models import Application

log = logging.getLogger(__name__)

MANAGERS = (Role.OWNER, Role.ADMINISTRATOR)


def people(business: Business, *roles: Role) -> list[str]:
    """Return the addresses of who has one of these roles in a business."""
    rows = Membership.objects.filter(business=business, role__in=roles)
    return sorted(set(rows.values_list("user__email", flat=True)))


def send(template: str, business: Business, context: Mapping[str, Any], *roles: Role) -> None:
    """Send to who has one of these roles, and to the technical contact where that is another."""
    known = people(business, *roles)
    for address in known:
        mail.send(template, address, dict(context))
    contact = technical_contact(business)
    if contact and contact not in known and _counted(template, business, contact):
        not_me = recipients.not_me_path(contact, business)
        mail.send(template, contact, {**context, "not_me": not_me})


def _counted(template: str, business: Business, contact: str) -> bool:
    """Count an e-mail to the technical contact; one too many is dropped: it is worth no retry."""
    try:
        recipients.count_notice(business, contact)
    except TooMany:
        about = {"business": business.public_id, "template": template}
        log.warning("mail_over_limit", extra=about)
        return False
    return True


def technical_contact(business: Business) -> str:
    """Return the address that the newest submission names, unless it wants nothing of us."""
    rows = Application.objects.filter(business=business).exclude(submission=None)
    newest = rows.select_related("submission").order_by("-pk").first()
    answers = newest.submission.answers if newest and newest.submission else {}
    address = str(answers.get("pr_tech_email", "")).lower()
    return address if address and recipients.takes_from(business, address) else ""
