"""E-mail about a domain whose verification was revoked."""

from django.urls import reverse

from apikeys import notice_emails
from console.accounts.models import Business
from console.events.models import Event


def tell_revoked(event: Event) -> None:
    """Notify owners, administrators and the technical contact that a site cannot show payments."""
    business = Business.objects.get(public_id=event.payload["business"])
    context = {
        "domain": event.payload["domain"],
        "business": business,
        "path": reverse("api:checkout_settings", args=[business.public_id]),
    }
    # The business chose the domain, which would be a link to a contact who does not know it.
    notice_emails.send(
        "domain_revoked",
        business,
        context,
        *notice_emails.MANAGERS,
        for_contact={"domain": event.subject_id},
    )
