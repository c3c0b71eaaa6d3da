"""E-mails about a domain whose verification was revoked, and about money that is held."""

from django.urls import reverse

from api.payments.lifecycle import DepositStatus
from api.payments.models import Deposit
from apikeys import notice_emails
from console.accounts.models import Business
from console.events.models import Event
from console.shell import mail


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


def tell_held(event: Event) -> None:
    """Notify owners and administrators of all money of a session that waits for a decision.

    If more of it is held since, the e-mail about the newest names all.
    """
    deposits = Deposit.objects.select_related("business", "checkout_session")
    newest = deposits.get(public_id=event.subject_id)
    session = newest.checkout_session
    if session is None:
        return
    held = list(deposits.filter(checkout_session=session, status=DepositStatus.HELD).order_by("pk"))
    held = [one for one in held if one.is_undecided]
    if not held or held[-1].pk != newest.pk:
        return
    business = newest.business
    names = [business.public_id, "checkout", "checkout-sessions", session.public_id]
    context = {
        "business": business,
        "session": session,
        "held": held,
        "path": reverse("api:module_row", args=names, query={"environment": session.environment}),
    }
    for address in notice_emails.people(business, *notice_emails.MANAGERS):
        mail.send("money_held", address, context)
