"""The e-mail that tells a business's people that its access was suspended, restored or closed."""

from django.urls import reverse

from apikeys import notice_emails
from console.accounts.models import Business
from console.events.models import Event
from console.shell import mail


def tell_people(event: Event) -> None:
    """Tell everyone who belongs to the business what was decided, since when, and whom to ask."""
    business = Business.objects.get(public_id=event.subject_id)
    context = {
        "business": business,
        "decided": event.kind.partition(".")[2],
        "at": event.happened_at,
        "path": reverse("accounts:business", args=[business.public_id]),
    }
    for address in notice_emails.everyone(business):
        mail.send("access_changed", address, context)
