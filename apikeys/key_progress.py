"""The last stages of a business's road: its keys."""

from django.urls import reverse

from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from console.shell.road import Standing


def sandbox_stage(business: Business) -> Standing:
    """The stage “Sandbox keys” of a business's road."""
    grant = Grant.objects.of(business).filter(environment=Environment.SANDBOX).first()
    if grant is None or grant.status == GrantStatus.CLOSED:
        return Standing("todo", "Once the pack is executed and every check has passed")
    page = reverse("apikeys:keys", args=[business.public_id])
    if grant.status == GrantStatus.SUSPENDED:
        return Standing("problem", "Suspended for now", page, "See")
    if ApiKey.objects.of(business).filter(grant=grant).exists():
        return Standing("done", "Created", page, "See")
    return Standing("current", "Your sandbox is open: create the first key", page, "Create a key")


def live_stage(business: Business) -> Standing:
    """The stage “Live keys”, which follows what the sandbox has shown."""
    grant = Grant.objects.of(business).filter(environment=Environment.LIVE).first()
    if grant is not None and grant.is_open:
        return Standing("done", "Open", reverse("apikeys:keys", args=[business.public_id]), "See")
    return Standing("todo", "Verified webhook, IP allowlist, one good sandbox call a product")
