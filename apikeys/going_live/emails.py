"""The e-mails about live: what was decided, and what live has lost."""

from django.urls import reverse

from apikeys.going_live.models import GoLiveRequest, UnmetCondition
from apikeys.keys.emails import technical_contact
from console.accounts import recipients
from console.accounts.models import Business, Membership
from console.accounts.roles import Role
from console.events.models import Event
from console.shell import mail


def tell_decision(event: Event) -> None:
    """Tell owners and administrators what became of their request."""
    rows = GoLiveRequest.objects.select_related("business")
    request = rows.get(public_id=event.subject_id)
    context = _context(request.business) | {"request": request}
    for address in _people(request.business):
        mail.send("go_live_decided", address, context)


def tell_unmet(event: Event) -> None:
    """Tell owners, administrators and the technical contact what live has lost."""
    rows = UnmetCondition.objects.select_related("business")
    condition = rows.get(public_id=event.subject_id)
    business = condition.business
    context = _context(business) | {"condition": condition}
    people = _people(business)
    for address in people:
        mail.send("live_condition_unmet", address, context)
    contact = technical_contact(business)
    if contact and contact not in people:
        not_me = recipients.not_me_path(contact, business)
        mail.send("live_condition_unmet", contact, context | {"not_me": not_me})


def _context(business: Business) -> dict[str, object]:
    path = reverse("apikeys:go_live", args=[business.public_id])
    return {"business": business, "path": path}


def _people(business: Business) -> list[str]:
    rows = Membership.objects.filter(business=business, role__in=[Role.OWNER, Role.ADMINISTRATOR])
    return sorted(set(rows.values_list("user__email", flat=True)))
