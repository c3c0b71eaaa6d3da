"""The reader's own key, for use in the examples."""

from django.http import HttpRequest
from django.urls import reverse

from apikeys.lifecycle import OPENS, Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.models import Membership
from console.accounts.roles import Permission, holders


def key_of(request: HttpRequest) -> ApiKey | None:
    """Return the newest working sandbox key of a business whose keys the reader may see."""
    if not request.user.is_authenticated:
        return None
    theirs = Membership.objects.filter(user=request.user, role__in=holders(Permission.KEY_VIEW))
    keys = ApiKey.objects.filter(
        grant__business__in=theirs.values("business"),
        grant__environment=Environment.SANDBOX,
        status__in=OPENS,
    )
    return keys.select_related("grant__business").order_by("-issued_at").first()


def keys_url(request: HttpRequest) -> str:
    """Return the page where the reader can create a sandbox key, or "" if there is none."""
    if not request.user.is_authenticated:
        return ""
    theirs = Membership.objects.filter(user=request.user, role__in=holders(Permission.KEY_ISSUE))
    grants = Grant.objects.filter(
        business__in=theirs.values("business"),
        environment=Environment.SANDBOX,
        status=GrantStatus.OPEN,
    )
    grant = grants.select_related("business").first()
    return reverse("apikeys:new_key", args=[grant.business.public_id]) if grant else ""
