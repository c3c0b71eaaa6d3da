"""E-mails about an endpoint, to owners, administrators and the technical contact."""

from django.urls import reverse

from apikeys import notice_emails
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.models import OptionalMail
from console.events.models import Event

# These need no immediate action: we keep trying, or the rest can be sent again.
_REPORTS = ("failing", "exhausted")


def tell(event: Event) -> None:
    """Notify about an endpoint that fails, whose verification lapsed, or that we paused."""
    reason = event.payload.get("reason", "")
    if reason == PausedReason.MERCHANT:
        return
    endpoint = WebhookEndpoint.objects.select_related("business").get(public_id=event.subject_id)
    if endpoint.removed_at is not None:
        return
    business = endpoint.business
    context = {
        "endpoint": endpoint,
        "where": endpoint.host,
        "business": business,
        "what": event.kind.partition(".")[2],
        "reason": reason,
        "number": int(event.payload.get("number", 0)),
        "path": reverse("apikeys:endpoint", args=[business.public_id, endpoint.public_id]),
    }
    # The business chose the host, which would look like a link to a contact who does not know it.
    notice_emails.send(
        "endpoint_notice",
        business,
        context,
        *notice_emails.MANAGERS,
        for_contact={"where": endpoint.public_id},
        optional=OptionalMail.ENDPOINTS if context["what"] in _REPORTS else None,
    )
