"""What follows for the sandbox when something happens elsewhere."""

from apikeys import grants, readiness
from apikeys.models import Grant
from console.accounts.models import Business
from console.events.models import Event


def open_when_ready(event: Event) -> None:
    """Open the sandbox if nothing stands in the way any more. Heard after the pack and each check."""
    business = Business.objects.get(public_id=event.payload["business"])
    if not readiness.blockers(business):
        grants.open_sandbox(business)


def follow_products(event: Event) -> None:
    """Let an open sandbox follow the products that are approved for its business."""
    for grant in Grant.objects.filter(business__public_id=event.payload["business"]):
        grants.follow_products(grant)
