"""Require signed calls in one environment, or make signatures optional."""

from django.db import transaction

from apikeys.models import Grant
from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.events import outbox as events


@transaction.atomic
def set_required(grant: Grant, *, required: bool, by: User) -> Grant:
    """Set whether unsigned calls are refused; do nothing if it is set already."""
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.SIGNING_EDIT, grant.business)
    if grant.requires_signatures == required:
        return grant
    grant.requires_signatures = required
    grant.save(update_fields=["requires_signatures"])
    audit.record(
        "signing.required" if required else "signing.optional",
        grant,
        by=by,
        before={"requires_signatures": not required},
        after={"requires_signatures": required},
    )
    events.publish(
        "signing.changed",
        grant,
        business=grant.business.public_id,
        environment=grant.environment,
    )
    return grant
