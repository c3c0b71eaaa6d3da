"""Claim due deliveries: fairly between endpoints, and one at a time per resource."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Sum

from apikeys.lifecycle import Environment
from apikeys.webhooks.dispatcher import database, lanes
from apikeys.webhooks.dispatcher.records import Claimed
from apikeys.webhooks.lifecycle import DeliveryKind, EndpointStatus
from apikeys.webhooks.models import DeliveryLane, PublicEvent, QueuedDelivery, WebhookEndpoint
from console.core import clock

LANES = 64
# A lease lasts for this many maximum timeouts; after that, the dispatcher counts as lost.
LEASE_TIMEOUTS = 4
# Maximum number of concurrent deliveries of one business, over all its endpoints.
OF_A_BUSINESS = 128
# How many rows of an endpoint's queue are searched for a resource without a delivery in progress.
_NEAR = 64

# Reads only the start of each endpoint's queue, however long the queue is.
_FIRST = """
SELECT first.id, first.endpoint_id, first.resource_id
FROM unnest(%s::bigint[]) AS turn (endpoint_id) CROSS JOIN LATERAL (
  SELECT id, endpoint_id, resource_id, due_at FROM webhooks_queueddelivery
  WHERE endpoint_id = turn.endpoint_id AND lease_until IS NULL AND due_at <= %s {choice}
  ORDER BY due_at, id LIMIT %s
) AS first
ORDER BY first.due_at, first.id
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """The result of one claim: deliveries, the endpoints considered, and the database's time."""

    deliveries: list[Claimed]
    looked_at: set[int]
    now: datetime


@transaction.atomic
def take(endpoints: Collection[int], free: int) -> Claim:
    """Lease at most `free` deliveries of these endpoints, the least recently served first."""
    now = clock.of_database()
    turns = {lane.pk: lane for lane in _open_lanes(endpoints, now)[: min(LANES, free)]}
    chosen = _choose(turns, _places(turns.values(), now), now)
    rows = _lease(chosen[:free], now)
    events = _events(rows, now)
    counts = Counter(row.endpoint_id for row in rows)
    served = [turns[endpoint] for endpoint in counts]
    for lane in served:
        lanes.start(lane, counts[lane.pk], now, rate=_rate(lane.endpoint))
        lane.served_at = now
    database.save(served, "in_flight", "paced_until", "served_at")
    claimed = [_claimed(row, turns[row.endpoint_id], events.get(row.event_id), now) for row in rows]
    return Claim(claimed, set(turns), now)


def _open_lanes(endpoints: Collection[int], now: datetime) -> QuerySet[DeliveryLane]:
    """Return the sendable lanes, locked, so no other dispatcher serves them."""
    is_open = Q(breaker_step=0) | Q(breaker_until__lte=now, in_flight=0)
    rows = DeliveryLane.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    found = rows.filter(
        is_open,
        pk__in=endpoints,
        halted="",
        endpoint__removed_at=None,
        endpoint__status=EndpointStatus.ACTIVE,
    )
    return found.select_related("endpoint").order_by("served_at", "pk")


def _places(turns: Collection[DeliveryLane], now: datetime) -> dict[int, int]:
    """Return how many deliveries each endpoint may start now, within the limit of its business."""
    businesses = {lane.endpoint.business_id for lane in turns}
    under_way = DeliveryLane.objects.filter(endpoint__business__in=businesses, in_flight__gt=0)
    busy = dict(under_way.values_list("endpoint__business").annotate(Sum("in_flight")))
    places = {}
    for lane in turns:
        business, rate = lane.endpoint.business_id, _rate(lane.endpoint)
        room = lanes.room(lane, now, rate=rate, is_proved=lane.endpoint.is_proved)
        places[lane.pk] = max(0, min(room, OF_A_BUSINESS - busy.get(business, 0)))
        busy[business] = busy.get(business, 0) + places[lane.pk]
    return places


def _choose(
    turns: Mapping[int, DeliveryLane], places: Mapping[int, int], now: datetime
) -> list[int]:
    """Return the ids of the rows to start: one per resource, and none if one is in progress."""
    asked = [endpoint for endpoint, count in places.items() if count]
    leased = QueuedDelivery.objects.filter(endpoint__in=asked, lease_until__isnull=False)
    taken = set(leased.values_list("endpoint", "resource_id"))
    waiting: dict[int, list[int]] = {endpoint: [] for endpoint in asked}
    for key, endpoint, resource in _first(turns, asked, now):
        if (endpoint, resource) not in taken and len(waiting[endpoint]) < places[endpoint]:
            taken.add((endpoint, resource))
            waiting[endpoint].append(key)
    return [key for keys in waiting.values() for key in keys]


def _first(
    turns: Mapping[int, DeliveryLane], asked: list[int], now: datetime
) -> list[tuple[int, int, str]]:
    """Return id, endpoint and resource of the rows that are due longest, per endpoint.

    A live endpoint that was never verified gets test events only.
    """
    pings = {pk for pk in asked if turns[pk].endpoint.gets_pings_alone}
    with connection.cursor() as cursor:
        cursor.execute(_FIRST.format(choice=""), [[*{*asked} - pings], now, _NEAR])
        found: list[tuple[int, int, str]] = cursor.fetchall()
        if pings:
            choice = f"AND kind = '{DeliveryKind.PING}'"
            cursor.execute(_FIRST.format(choice=choice), [[*pings], now, _NEAR])
            found += cursor.fetchall()
    return found


def _lease(keys: Collection[int], now: datetime) -> list[QueuedDelivery]:
    """Lease the rows, and return the updated rows ordered by id."""
    rows = QueuedDelivery.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    found = list(rows.filter(pk__in=keys, lease_until=None).order_by("pk"))
    lease = uuid.uuid4()
    until = now + timedelta(seconds=LEASE_TIMEOUTS * settings.WEBHOOK_TIMEOUT_SECONDS)
    for row in found:
        row.lease, row.lease_until, row.attempts = lease, until, row.attempts + 1
    QueuedDelivery.objects.filter(pk__in=[row.pk for row in found]).update(
        lease=lease, lease_until=until, attempts=F("attempts") + 1
    )
    return found


def _events(rows: Iterable[QueuedDelivery], now: datetime) -> dict[str, tuple[str, bytes]]:
    """Return kind and body of events by id, without those past the retention period."""
    oldest = now - timedelta(days=settings.WEBHOOK_EVENT_DAYS)
    wanted = {row.event_id: row.event_created_at for row in rows if row.event_created_at >= oldest}
    if not wanted:
        return {}
    # Filtering by time selects the partitions.
    days = (min(wanted.values()), max(wanted.values()))
    found = PublicEvent.objects.filter(public_id__in=wanted, created_at__range=days)
    return {
        key: (kind, bytes(body))
        for key, kind, body in found.values_list("public_id", "kind", "body")
    }


def _claimed(
    row: QueuedDelivery, lane: DeliveryLane, event: tuple[str, bytes] | None, now: datetime
) -> Claimed:
    row.endpoint = endpoint = lane.endpoint
    ends, previous = endpoint.previous_secret_ends_at, endpoint.previous_secret
    if ends is None or ends <= now or lane.current_accepted >= lanes.NEW_SECRET_TAKEN:
        previous = None
    kind, body = event or ("", None)
    return Claimed(row, kind, body, bytes(previous) if previous else None)


def _rate(endpoint: WebhookEndpoint) -> float:
    """Return how many deliveries of an endpoint may start per second."""
    if not endpoint.is_proved:
        return 1.0
    is_live = endpoint.environment == Environment.LIVE
    return settings.WEBHOOK_LIVE_RATE if is_live else settings.WEBHOOK_SANDBOX_RATE
