"""E-mail to a business when its sandbox or live is suspended or restored."""

from django.urls import reverse

from apikeys import notice_emails
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from console.events.models import Event
from console.shell import mail


def tell_people(event: Event) -> None:
    """Notify every member of the business, except when the environment opens for the first time."""
    restored = event.kind == f"grant.{GrantStatus.OPEN}"
    if restored and event.payload["was"] != GrantStatus.SUSPENDED:
        return
    grant = Grant.objects.select_related("business").get(public_id=event.subject_id)
    business = grant.business
    context = {
        "grant": grant,
        "business": business,
        "restored": restored,
        "at": event.happened_at,
        "path": reverse("apikeys:keys", args=[business.public_id]),
    }
    for address in notice_emails.everyone(business):
        mail.send("grant_changed", address, context)
