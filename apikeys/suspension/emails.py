"""The e-mail that tells a business's people that its access was suspended, restored or closed."""

from django.urls import reverse

from console.accounts.models import Business, Membership
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
    people = Membership.objects.filter(business=business)
    for address in sorted(set(people.values_list("user__email", flat=True))):
        mail.send("access_changed", address, context)
