"""The last stages of a business's progress: its keys."""

from django.urls import reverse

from apikeys import statuses
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from console.shell.progress import StageStatus


def sandbox_stage(business: Business) -> StageStatus:
    """The stage “Sandbox keys” of a business's progress."""
    grant = Grant.objects.of(business).filter(environment=Environment.SANDBOX).first()
    row = statuses.GRANT[grant.status if grant else GrantStatus.CLOSED]
    if grant is None or grant.status == GrantStatus.CLOSED:
        return StageStatus(row.step.state, row.business.at_the_step)
    page = reverse("apikeys:keys", args=[business.public_id])
    if grant.is_open and ApiKey.objects.of(business).filter(grant=grant).exists():
        return StageStatus("done", "Created", page, "See")
    action = "Create a key" if grant.is_open else "See"
    return StageStatus(row.step.state, row.business.at_the_step, page, action)


def live_stage(business: Business) -> StageStatus:
    """The stage “Live keys”, which follows what the sandbox has shown."""
    grant = Grant.objects.of(business).filter(environment=Environment.LIVE).first()
    if grant is not None and grant.is_open:
        return StageStatus(
            "done", "Open", reverse("apikeys:keys", args=[business.public_id]), "See"
        )
    return StageStatus("todo", "Verified webhook, IP allowlist, one good sandbox call a product")
