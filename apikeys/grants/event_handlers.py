"""Event handlers that open a sandbox or update the products of grants."""

from agreements.models import Pack
from apikeys import sandbox_readiness
from apikeys.grants import grants
from apikeys.models import Grant
from console.accounts import business_access
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.events.models import Event
from onboarding.models import Check


def pack_executed(event: Event) -> None:
    """Open the sandbox if every check is done."""
    _open_if_ready(Business.objects.get(public_id=event.payload["business"]))


def check_decided(event: Event) -> None:
    """Open the sandbox if this check was the last one missing."""
    rows = Check.objects.select_related("application__business")
    _open_if_ready(rows.get(public_id=event.subject_id).business)


def open_what_is_ready() -> None:
    """Open every sandbox whose conditions are met, in case an event was missed."""
    opened = Grant.objects.exclude(opened_at=None).values("business")
    executed = Pack.objects.executed().exclude(business__in=opened)
    for business in Business.objects.filter(pack__in=executed).distinct().order_by("pk"):
        _open_if_ready(business)


def products_changed(event: Event) -> None:
    """Update the products of the business's grants, in the transaction that locked the business."""
    ours = Grant.objects.filter(business__public_id=event.payload["business"])
    for grant in ours.order_by("environment"):
        grants.follow_products(grant, by=SYSTEM)


def _open_if_ready(business: Business) -> None:
    if not (business_access.blockers(business) or sandbox_readiness.blockers(business)):
        grants.open_sandbox(business, by=SYSTEM)
