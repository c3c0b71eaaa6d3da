"""Retrying background work."""

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.events.models import EventDelivery
from console.shell.modules import May

SENTENCES = {"work.tried_again": _("{actor} retried the job {subject}")}


def failing(_person: object, _may: May) -> QuerySet[EventDelivery]:
    """Return the pieces of work that failed and wait for a retry."""
    return EventDelivery.objects.waiting().exclude(last_error="")


@transaction.atomic
def try_again(delivery: EventDelivery, *, by: User) -> None:
    """Make one pending delivery due now; the sweep picks it up within seconds."""
    access.require(by, Permission.OPERATE)
    waiting = EventDelivery.objects.waiting().filter(pk=delivery.pk)
    if waiting.update(not_before=Now()):
        audit.record(
            "work.tried_again", delivery.event, by=by,
            listener=delivery.listener, attempts=delivery.attempts,
        )  # fmt: skip
