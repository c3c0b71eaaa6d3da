"""Unmet conditions: detect that live no longer meets one, notify once, and settle it when met."""

from django.db import transaction

from apikeys.going_live import live_readiness
from apikeys.going_live.models import UnmetCondition
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events
from console.events.models import Event
from onboarding.models import Check

# Events that can change a line of the checklist.
FACTS = (
    "webhook_endpoint.verified", "webhook_endpoint.lapsed", "webhook_endpoint.paused",
    "webhook_endpoint.active", "webhook_endpoint.moved", "webhook_endpoint.removed",
    "network.changed",
    "product.approved", "product.withdrawn", "module_setting.changed",
    "grant.suspended", "grant.open", "access.suspended", "access.restored",
)  # fmt: skip
FACTS_OF_CHECKS = ("check.expired", "check.decided", "check.finished")


def fact_changed(event: Event) -> None:
    """Update the unmet conditions of the event's business."""
    compare(Business.objects.get(public_id=event.payload["business"]), by=SYSTEM)


def check_changed(event: Event) -> None:
    """Update the unmet conditions after a check finished, expired or was decided."""
    rows = Check.objects.select_related("application__business")
    compare(rows.get(public_id=event.subject_id).business, by=SYSTEM)


def compare_all() -> None:
    """Update the unmet conditions of every live business, in case an event was missed."""
    live = Grant.objects.filter(environment=Environment.LIVE).exclude(live_products=[])
    for business in Business.objects.filter(grants__in=live).order_by("pk").iterator():
        compare(business, by=SYSTEM)


@transaction.atomic
def compare(business: Business, *, by: Actor) -> None:
    """Publish newly unmet conditions of live, and settle those that are met again.

    A suspension is not such a condition, since it has e-mails of its own. While live is suspended,
    its conditions do not change.
    """
    business = Business.objects.locked(business)
    grant = Grant.objects.of(business).filter(environment=Environment.LIVE).first()
    if grant is None or not grant.live_products or not grant.keys_work:
        return
    red = {line.code: line for line in live_readiness.unmet_of(grant) if line.key != "standing"}
    known = {one.key: one for one in UnmetCondition.objects.of(business)}
    now = clock.now()
    for code in red.keys() - known.keys():
        lost = UnmetCondition.objects.create(
            business=business, key=code, title=red[code].title, found_at=now
        )
        _announce(lost, "unmet_condition.found", by=by)
    for code in known.keys() - red.keys():
        back = known[code]
        back.settled_at = now
        back.save(update_fields=["settled_at"])
        _announce(back, "unmet_condition.settled", by=by)


def _announce(condition: UnmetCondition, code: str, *, by: Actor) -> None:
    audit.record(code, condition, by=by, key=condition.key)
    events.publish(code, condition, business=condition.business.public_id)
