"""E-mail to a business when its access is suspended, restored or closed."""

from apikeys import notice_emails
from console.accounts.models import Business
from console.core import pages_above
from console.events.models import Event
from console.shell import mail


def tell_people(event: Event) -> None:
    """Tell every member of the business the decision, its date, and whom to contact."""
    business = Business.objects.get(public_id=event.subject_id)
    context = {
        "business": business,
        "decided": event.kind.partition(".")[2],
        "at": event.happened_at,
        "path": pages_above.address("business_home", business.public_id),
    }
    for address in notice_emails.everyone(business):
        mail.send("access_changed", address, context)
