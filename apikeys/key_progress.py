"""The stage “Sandbox keys” of a business's progress."""

from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext_noop

from apikeys import lifecycle
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.core.status_table import StageState
from console.shell.progress import StageStatus


def grants_of(business: Business) -> dict[Environment, Grant]:
    """Return the grants of a business, read once for its row: two stages and its home need them."""
    prefetch_related_objects([business], "grants")
    return {Environment(grant.environment): grant for grant in business.grants.all()}


def sandbox_stage(business: Business) -> StageStatus:
    """The stage “Sandbox keys” of a business's progress."""
    grant = grants_of(business).get(Environment.SANDBOX)
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
    if not grant.is_open:
        return StageStatus(row.step.state, row.business.at_the_step, page, gettext_noop("View"))
    grant.business = business  # saves a query
    return key_to_create(grant, row.step.state, row.business.at_the_step)


def key_to_create(grant: Grant, state: StageState, detail: str) -> StageStatus:
    """Return the status of a grant without a key; only who may create one is led to the form."""
    at = [grant.business.public_id]
    return StageStatus(
        state,
        detail,
        f"{reverse('apikeys:new_key', args=at)}?environment={grant.environment}",
        gettext_noop("Create a key"),
        needs=Permission.KEY_ISSUE,
        url_for_others=reverse("apikeys:keys", args=at),
    )
