"""The last stages of a business's progress: its keys."""

from django.urls import reverse

from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from console.shell.progress import StageStatus


def sandbox_stage(business: Business) -> StageStatus:
    """The stage “Sandbox keys” of a business's progress."""
    grant = Grant.objects.of(business).filter(environment=Environment.SANDBOX).first()
    if grant is None or grant.status == GrantStatus.CLOSED:
        return StageStatus("todo", "Once the pack is executed and every check has passed")
    page = reverse("apikeys:keys", args=[business.public_id])
    if grant.status == GrantStatus.SUSPENDED:
        return StageStatus("problem", "Suspended for now", page, "See")
    if ApiKey.objects.of(business).filter(grant=grant).exists():
        return StageStatus("done", "Created", page, "See")
    return StageStatus(
        "current", "Your sandbox is open: create the first key", page, "Create a key"
    )


def live_stage(business: Business) -> StageStatus:
    """The stage “Live keys”, which follows what the sandbox has shown."""
    grant = Grant.objects.of(business).filter(environment=Environment.LIVE).first()
    if grant is not None and grant.is_open:
        return StageStatus(
            "done", "Open", reverse("apikeys:keys", args=[business.public_id]), "See"
        )
    return StageStatus("todo", "Verified webhook, IP allowlist, one good sandbox call a product")
