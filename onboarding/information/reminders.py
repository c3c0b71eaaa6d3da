"""Reminders of requests for information: after 50, 80 and 100 % of the time."""

from django.db import transaction

from console.accounts.actors import SYSTEM, Actor
from console.accounts.lifecycle import Access
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events
from onboarding.information.models import InformationRequest

AT = (0.5, 0.8, 1.0)


def remind() -> None:
    """Send the reminders that are due. Scheduled. Expiry itself changes nothing."""
    asked_of = InformationRequest.objects.open().filter(application__business__status=Access.ACTIVE)
    for asked in asked_of.select_related("application").order_by("pk"):
        if due(asked) > asked.reminders:
            send(asked, by=SYSTEM)


def due(asked: InformationRequest) -> int:
    """Return how many reminders should have been sent by now."""
    passed = (clock.now() - asked.opened_at) / (asked.due_at - asked.opened_at)
    return sum(passed >= part for part in AT)


@transaction.atomic
def send(asked: InformationRequest, *, by: Actor) -> None:
    """Send one reminder, however many were missed. Idempotent."""
    asked = InformationRequest.objects.locked(asked)
    if not asked.is_open or due(asked) <= asked.reminders:
        return
    asked.reminders = due(asked)
    asked.save(update_fields=["reminders"])
    audit.record("information_request.reminded", asked, by=by)
    events.publish("information_request.reminded", asked)
