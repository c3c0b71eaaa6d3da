"""Recover leases of lost dispatchers, and bring retries forward when a receiver recovers."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, Value
from django.db.models.functions import Greatest, Now, Random

from apikeys.webhooks.dispatcher import database, retries, settling
from apikeys.webhooks.dispatcher.failures import WORKER_LOST
from apikeys.webhooks.dispatcher.records import EXHAUSTED, RETRY, Claimed, ReceiverAnswer, Result
from apikeys.webhooks.models import DeliveryLane, QueuedDelivery
from console.core import clock

log = logging.getLogger(__name__)

# Rows per transaction when bringing forward and when releasing leases.
_PAGE, _LOST_PAGE = 5000, 1000
# After a recovery, all waiting deliveries become due within this time.
_SPREAD = timedelta(seconds=60)


@transaction.atomic
def reap() -> int:
    """Release the leases that were not settled in time, and return how many.

    It is unknown whether the receiver was reached, so the state of the lane does not change.
    """
    now = clock.of_database()
    lost = QueuedDelivery.objects.filter(lease_until__lt=now).order_by("lease_until")
    page = list(lost.select_related("endpoint")[:_LOST_PAGE])
    # Lock lanes first, in the same order as settling. Skip locked lanes until the next run.
    locked = DeliveryLane.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    by_endpoint = locked.order_by("pk").in_bulk({row.endpoint_id for row in page})
    results = [_lost(row, now) for row in page if row.endpoint_id in by_endpoint]
    heard = settling.take_out(results, by_endpoint, now)
    settling.record(heard, now)
    database.save(list(by_endpoint.values()), "in_flight")
    if heard:
        log.warning("deliveries_given_back", extra={"count": len(heard)})
    return len(heard)


def _lost(row: QueuedDelivery, now: datetime) -> Result:
    is_over = row.attempts >= retries.most_attempts(row.endpoint)
    answer = ReceiverAnswer(at=now.timestamp(), error=WORKER_LOST)
    return Result(Claimed(row, "", None), answer, EXHAUSTED if is_over else RETRY)


def reconcile() -> int:
    """Correct lanes with a wrong number of deliveries in progress. Each correction shows a bug."""
    leased = QueuedDelivery.objects.filter(lease_until__isnull=False)
    counted = dict(DeliveryLane.objects.exclude(in_flight=0).values_list("pk", "in_flight"))
    found = dict(leased.values_list("endpoint").annotate(Count("pk")))
    suspects = [pk for pk in counted.keys() | found.keys() if counted.get(pk) != found.get(pk)]
    corrected = sum(_correct(endpoint) for endpoint in suspects)
    if corrected:
        log.error("lanes_corrected", extra={"count": corrected})
    return corrected


@transaction.atomic
def _correct(endpoint: int) -> bool:
    """Correct one lane; return False if it turns out right once locked."""
    locked = DeliveryLane.objects.select_for_update(no_key=True, of=("self",))
    lane = locked.filter(pk=endpoint).first()
    if lane is None:
        return False
    was = lane.in_flight
    rows = QueuedDelivery.objects.filter(endpoint=endpoint, lease_until__isnull=False)
    lane.in_flight = rows.count()
    lane.save(update_fields=["in_flight"])
    return lane.in_flight != was


def bring_forward() -> None:
    """Make the waiting deliveries of recovered receivers due within a minute."""
    recovered = DeliveryLane.objects.filter(recovered_at__isnull=False)
    for endpoint, recovered_at in list(recovered.values_list("pk", "recovered_at")):
        while _bring_page_forward(endpoint) == _PAGE:
            pass
        recovered.filter(pk=endpoint, recovered_at=recovered_at).update(recovered_at=None)


@transaction.atomic
def _bring_page_forward(endpoint: int) -> int:
    """Bring a page forward, but respect the receiver's `Retry-After`; return its length."""
    rows = QueuedDelivery.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    later = rows.filter(
        Q(not_before=None) | Q(not_before__lt=F("due_at") - timedelta(seconds=1)),
        endpoint=endpoint,
        lease_until=None,
        due_at__gt=Now() + _SPREAD,
    )
    page = list(later.order_by("due_at", "pk").values_list("pk", flat=True)[:_PAGE])
    within = ExpressionWrapper(Random() * Value(_SPREAD), output_field=DurationField())
    QueuedDelivery.objects.filter(pk__in=page).update(
        due_at=Greatest(Now() + within, F("not_before"))
    )
    return len(page)
