"""The e-mails about an endpoint, to owners and administrators and to the technical contact."""

from django.urls import reverse

from apikeys.keys.emails import technical_contact
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts import recipients
from console.accounts.models import Business, Membership
from console.accounts.roles import Role
from console.events.models import Event
from console.shell import mail


def tell(event: Event) -> None:
    """Tell of an endpoint that fails, whose verification lapsed, or that we paused."""
    reason = event.payload.get("reason", "")
    if reason == PausedReason.MERCHANT:
        return
    endpoint = WebhookEndpoint.objects.select_related("business").get(public_id=event.subject_id)
    if endpoint.removed_at is not None:
        return
    business = endpoint.business
    context = {
        "endpoint": endpoint,
        "business": business,
        "what": event.kind.partition(".")[2],
        "reason": reason,
        "number": event.payload.get("number", ""),
        "path": reverse("apikeys:endpoint", args=[business.public_id, endpoint.public_id]),
    }
    people = _people(business)
    for address in people:
        mail.send("endpoint_notice", address, context)
    contact = technical_contact(business)
    if contact and contact not in people:
        not_me = recipients.not_me_path(contact, business)
        mail.send("endpoint_notice", contact, context | {"not_me": not_me})


def _people(business: Business) -> list[str]:
    roles = [Role.OWNER, Role.ADMINISTRATOR]
    rows = Membership.objects.filter(business=business, role__in=roles)
    return sorted(set(rows.values_list("user__email", flat=True)))
