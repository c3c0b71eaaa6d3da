"""Suspend a business when two reviewers confirmed a match with a sanctions list."""

from apikeys.models import Grant
from apikeys.suspension import suspension
from console.accounts.lifecycle import LIFECYCLE, Access
from console.accounts.models import Business, User
from console.events.models import Event

# The match itself is in the log of the decision, which the business cannot see.
REASON = "Decision of compliance."


def match_confirmed(event: Event) -> None:
    """Suspend the business if it has API access, in the transaction of the confirmation."""
    business = Business.objects.get(public_id=event.payload["business"])
    has_access = Grant.objects.filter(business=business).exists()
    if has_access and LIFECYCLE.allows(business.status, Access.SUSPENDED):
        by = User.objects.get(public_id=event.payload["by"])
        suspension.suspend(business, reason=REASON, by=by)
