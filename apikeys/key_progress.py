"""The stage “Sandbox keys” of a business's progress."""

from django.urls import reverse
from django.utils.translation import gettext_noop

from apikeys import lifecycle
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.shell.progress import StageStatus


def sandbox_stage(business: Business) -> StageStatus:
    """The stage “Sandbox keys” of a business's progress."""
    grant = Grant.objects.of(business).filter(environment=Environment.SANDBOX).first()
    row = lifecycle.GRANT[grant.status if grant else GrantStatus.CLOSED]
    if grant is None or grant.status == GrantStatus.CLOSED:
        return StageStatus(row.step.state, row.business.at_the_step)
    page = reverse("apikeys:keys", args=[business.public_id])
    if business.status != Access.ACTIVE:
        return StageStatus(
            "problem", f"Your access is {business.status}", page, gettext_noop("View")
        )
    if grant.is_open and ApiKey.objects.of(business).filter(grant=grant).exists():
        return StageStatus("done", gettext_noop("Created"), page, gettext_noop("View"))
    action = gettext_noop("Create a key") if grant.is_open else gettext_noop("View")
    return StageStatus(row.step.state, row.business.at_the_step, page, action)
