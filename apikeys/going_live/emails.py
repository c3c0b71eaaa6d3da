"""E-mails about going live: the decision, and conditions that are no longer met."""

from django.urls import reverse

from apikeys import notice_emails
from apikeys.going_live.models import GoLiveRequest, UnmetCondition
from console.accounts.models import Business
from console.events.models import Event
from console.shell import mail


def tell_decision(event: Event) -> None:
    """Tell owners and administrators the decision about their request."""
    rows = GoLiveRequest.objects.select_related("business")
    request = rows.get(public_id=event.subject_id)
    context = _context(request.business) | {"request": request}
    for address in notice_emails.people(request.business, *notice_emails.MANAGERS):
        mail.send("go_live_decided", address, context)


def tell_unmet(event: Event) -> None:
    """Tell owners, administrators and the technical contact which condition is unmet."""
    rows = UnmetCondition.objects.select_related("business")
    condition = rows.get(public_id=event.subject_id)
    business = condition.business
    context = _context(business) | {"condition": condition}
    notice_emails.send("live_condition_unmet", business, context, *notice_emails.MANAGERS)


def _context(business: Business) -> dict[str, object]:
    path = reverse("apikeys:go_live", args=[business.public_id])
    return {"business": business, "path": path}
