"""The e-mails about a key, to the owners of its business and to its technical contact."""

from django.urls import reverse

from apikeys.models import ApiKey
from console.accounts import recipients
from console.accounts.models import Business, Membership
from console.accounts.roles import Role
from console.events.models import Event
from console.shell import mail
from onboarding.models import Application

# Why a key was revoked, where it was not its own people who did.
_TOLD_REASONS = ("exposed", "not_stored")


def tell(event: Event) -> None:
    """Tell of a key that ends soon, that nobody uses, or that we disabled or revoked ourselves."""
    reason = event.payload.get("reason", "")
    if event.kind == "key.revoked" and reason not in _TOLD_REASONS:
        return
    key = ApiKey.objects.select_related("grant__business").get(public_id=event.subject_id)
    business = key.business
    context = {
        "key": key,
        "business": business,
        "what": reason or event.kind.partition(".")[2],
        "days": event.payload.get("days", ""),
        "path": reverse("apikeys:key", args=[business.public_id, key.public_id]),
    }
    for address in _owners(business):
        mail.send("key_notice", address, context)
    contact = technical_contact(business)
    if contact and contact not in _owners(business):
        not_me = recipients.not_me_path(contact, business)
        mail.send("key_notice", contact, context | {"not_me": not_me})


def technical_contact(business: Business) -> str:
    """Return the address that the newest submission names, unless it wants nothing of us."""
    rows = Application.objects.filter(business=business).exclude(submission=None)
    newest = rows.select_related("submission").order_by("-pk").first()
    answers = newest.submission.answers if newest and newest.submission else {}
    address = str(answers.get("pr_tech_email", "")).lower()
    return address if address and recipients.takes_from(business, address) else ""


def _owners(business: Business) -> list[str]:
    rows = Membership.objects.filter(business=business, role=Role.OWNER)
    return sorted(set(rows.values_list("user__email", flat=True)))
