"""What follows for the sandbox when something happens elsewhere."""

from agreements.models import Pack
from apikeys import sandbox_readiness
from apikeys.grants import grants
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.events.models import Event
from onboarding.models import Check


def pack_executed(event: Event) -> None:
    """Open the sandbox, unless a check is still open."""
    _open_if_ready(Business.objects.get(public_id=event.payload["business"]))


def check_decided(event: Event) -> None:
    """Open the sandbox if this check was the last thing missing."""
    rows = Check.objects.select_related("application__business")
    _open_if_ready(rows.get(public_id=event.subject_id).business)


def open_what_is_ready() -> None:
    """Open every sandbox that nothing stands in the way of. Finds what no event told us."""
    opened = Grant.objects.exclude(opened_at=None).values("business")
    executed = Pack.objects.executed().exclude(business__in=opened)
    for business in Business.objects.filter(pack__in=executed).distinct().order_by("pk"):
        _open_if_ready(business)


def products_changed(event: Event) -> None:
    """In the same transaction, which holds the business: let its grants follow its products."""
    ours = Grant.objects.filter(business__public_id=event.payload["business"])
    for grant in ours.order_by("environment"):
        grants.follow_products(grant, by=SYSTEM)


def _open_if_ready(business: Business) -> None:
    if not sandbox_readiness.blockers(business):
        grants.open_sandbox(business, by=SYSTEM)
