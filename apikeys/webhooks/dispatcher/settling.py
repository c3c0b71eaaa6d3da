"""Save the results of many deliveries in one transaction: queue, records and lanes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from apikeys.lifecycle import Environment
from apikeys.webhooks.dispatcher import database, lanes
from apikeys.webhooks.dispatcher.records import DELIVERED, OUTLIVED, RETRY, ReceiverAnswer, Result
from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import (
    DeliveryAttempt,
    DeliveryDay,
    DeliveryLane,
    QueuedDelivery,
    WebhookDelivery,
)
from console.core import clock

MOST = 1000
_LEARNT = (
    *lanes.CHANGED, "recovered_at", "last_success_at", "last_failure_at", "last_error",
    "previous_accepted", "current_accepted",
)  # fmt: skip


@transaction.atomic
def write(results: Sequence[Result]) -> None:
    """Settle at most MOST results. Safe to repeat if the outcome of the transaction is unknown."""
    now = clock.of_database()
    locked = DeliveryLane.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    by_endpoint = locked.in_bulk({result.claimed.queued.endpoint_id for result in results})
    known = [one for one in results if one.claimed.queued.endpoint_id in by_endpoint]
    heard = take_out(known, by_endpoint, now)
    record(heard, now)
    _learn(heard, by_endpoint, now)
    database.save(list(by_endpoint.values()), *_LEARNT)


def take_out(
    results: Sequence[Result], by_endpoint: Mapping[int, DeliveryLane], now: datetime
) -> list[Result]:
    """Delete or release the queue rows, and return the results that count.

    If the lease was lost meanwhile, a success still counts, but a failure is ignored. The lane's
    counter only goes down if the row still had a lease.
    """
    locked = QueuedDelivery.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    rows = locked.in_bulk([result.claimed.queued.pk for result in results])
    heard, ended, returned = [], [], []
    for result in results:
        row = rows.get(result.claimed.queued.pk)
        is_leased = row is not None and row.lease == result.claimed.queued.lease
        if result.outcome != DELIVERED and not is_leased:
            continue
        heard.append(result)
        if row is None:
            continue
        del rows[row.pk]
        by_endpoint[row.endpoint_id].in_flight -= row.lease is not None
        if result.outcome == RETRY:
            row.lease = row.lease_until = None
            row.due_at = now + timedelta(seconds=result.wait)
            asked = result.not_before
            row.not_before = None if asked is None else now + timedelta(seconds=asked)
            returned.append(row)
        else:
            ended.append(row.pk)
    QueuedDelivery.objects.filter(pk__in=ended).delete()
    database.save(returned, "lease", "lease_until", "due_at", "not_before")
    return heard


def record(heard: Sequence[Result], now: datetime) -> None:
    """Save the attempts and the new status of the deliveries."""
    DeliveryAttempt.objects.bulk_create(
        _attempt(result) for result in heard if result.outcome != OUTLIVED
    )
    groups: dict[tuple[str, int], list[QueuedDelivery]] = defaultdict(list)
    for result in heard:
        groups[result.outcome, result.claimed.queued.attempts].append(result.claimed.queued)
    for (outcome, number), queued in groups.items():
        changes: dict[str, Any] = {}
        if outcome != OUTLIVED:
            changes["attempts"] = Greatest(F("attempts"), number)
        if outcome != RETRY:
            is_good = outcome == DELIVERED
            changes["status"] = DeliveryStatus.DELIVERED if is_good else DeliveryStatus.EXHAUSTED
            changes["ended_at"] = now
        rows = WebhookDelivery.objects.of_queued(queued)
        if outcome != DELIVERED:
            rows = rows.exclude(status=DeliveryStatus.DELIVERED)
        rows.update(**changes)


def _attempt(result: Result) -> DeliveryAttempt:
    queued, answer = result.claimed.queued, result.answer
    return DeliveryAttempt(
        delivery_id=queued.public_id,
        environment=queued.endpoint.environment,
        number=queued.attempts,
        at=_moment(answer),
        status=answer.status,
        error=answer.error,
        signed_with=answer.signed_with,
        dns_us=answer.dns_us,
        connect_us=answer.connect_us,
        first_byte_us=answer.first_byte_us,
        total_us=answer.total_us,
        excerpt=answer.excerpt,
    )


def _learn(heard: Iterable[Result], by_endpoint: Mapping[int, DeliveryLane], now: datetime) -> None:
    """Update each lane and its daily counts from the answers, in order."""
    told: dict[int, list[Result]] = defaultdict(list)
    for result in heard:
        if result.outcome != OUTLIVED:
            told[result.claimed.queued.endpoint_id].append(result)
    for endpoint, results in told.items():
        _learn_lane(by_endpoint[endpoint], results, now)
    _count_days(told, now)


def _learn_lane(lane: DeliveryLane, results: Sequence[Result], now: datetime) -> None:
    environment = Environment(results[0].claimed.endpoint.environment)
    answers = [result.answer for result in results]
    if lane.breaker_step > 0 and any(answer.accepted for answer in answers):
        lane.recovered_at = now
    lanes.learn(lane, answers, environment, now)
    for result in results:
        answer = result.answer
        lane.last_error = answer.error
        if answer.accepted:
            lane.last_success_at = _moment(answer)
        else:
            lane.last_failure_at = _moment(answer)
        if result.claimed.previous_secret is not None:
            _count_secret(lane, answer)


def _count_secret(lane: DeliveryLane, answer: ReceiverAnswer) -> None:
    """Count which of two secrets the receiver accepts; the previous one resets the count."""
    if answer.signed_with == "previous":
        lane.previous_accepted += 1
        lane.current_accepted = 0
    elif answer.accepted:
        lane.current_accepted += 1


def _count_days(told: Mapping[int, Sequence[Result]], now: datetime) -> None:
    """Add to the daily counts. The lanes are locked, so there are no concurrent updates."""
    today = now.astimezone(UTC).date()
    known = DeliveryDay.objects.filter(endpoint__in=told, day=today)
    days = {day.endpoint_id: day for day in known}
    for endpoint, results in told.items():
        day = days.setdefault(endpoint, DeliveryDay(endpoint_id=endpoint, day=today))
        good = sum(result.answer.accepted for result in results)
        day.succeeded += good
        day.failed += len(results) - good
    DeliveryDay.objects.bulk_create(
        days.values(),
        update_conflicts=True,
        unique_fields=["endpoint", "day"],
        update_fields=["succeeded", "failed"],
    )


def _moment(answer: ReceiverAnswer) -> datetime:
    return datetime.fromtimestamp(answer.at, UTC)
