"""Notices to a business about endpoints that fail, each sent once."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef

from apikeys.webhooks import endpoint_events
from apikeys.webhooks.lifecycle import DeliveryStatus, EndpointStatus
from apikeys.webhooks.models import EndpointNotice, WebhookDelivery, WebhookEndpoint
from console.accounts.actors import SYSTEM, Actor
from console.core import clock

# Hours without a success after which we send a notice.
FAILING_HOURS = (1, 24, 72)
# Maximum age of a delivery that used all attempts: 76 hours of waits, each up to a fifth longer,
# plus the receiver's `Retry-After`.
_LONGEST_LIFE = timedelta(days=6)
_DAY = timedelta(days=1)


def give_notices() -> None:
    """Announce every endpoint that has been failing for 1, 24 or 72 hours."""
    now = clock.now()
    for hours, more in pairwise((*FAILING_HOURS, 10**5)):
        failing = WebhookEndpoint.objects.standing().filter(
            status=EndpointStatus.ACTIVE,
            lane__failing_since__lte=now - timedelta(hours=hours),
            lane__failing_since__gt=now - timedelta(hours=more),
        )
        failing = failing.annotate(failing_since=F("lane__failing_since"))
        given = EndpointNotice.objects.filter(
            endpoint=OuterRef("pk"), kind=_kind(hours), counted_from=OuterRef("failing_since")
        )
        rows = failing.exclude(Exists(given)).select_related("business")
        for endpoint in rows.order_by("pk").iterator():
            since: datetime = endpoint.failing_since  # type: ignore[attr-defined]  # annotated
            tell_failing(endpoint, hours, counted_from=since, by=SYSTEM)


def count_exhausted() -> None:
    """Announce, once per day (UTC), how many deliveries used all attempts on the day before."""
    midnight = clock.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    ended = WebhookDelivery.objects.filter(
        status=DeliveryStatus.EXHAUSTED,
        created_at__gte=midnight - _LONGEST_LIFE,
        ended_at__gte=midnight - _DAY,
        ended_at__lt=midnight,
    )
    counted = dict(ended.values_list("endpoint").annotate(Count("pk")))
    rows = WebhookEndpoint.objects.standing().filter(pk__in=counted).select_related("business")
    for endpoint in rows.order_by("pk").iterator():
        tell_exhausted(endpoint, counted[endpoint.pk], counted_from=midnight - _DAY, by=SYSTEM)


@transaction.atomic
def tell_failing(
    endpoint: WebhookEndpoint, hours: int, *, counted_from: datetime, by: Actor
) -> None:
    """Announce, once, that an endpoint has had no success for this many hours."""
    if _note(endpoint, _kind(hours), counted_from):
        endpoint_events.announce(
            endpoint, "webhook_endpoint.failing", by=by, news={"number": str(hours)}
        )


@transaction.atomic
def tell_left_out(endpoint: WebhookEndpoint, *, counted_from: datetime, by: Actor) -> None:
    """Announce, once per day, that new events of an endpoint were not held."""
    if _note(endpoint, "left_out", counted_from):
        endpoint_events.announce(endpoint, "webhook_endpoint.left_out", by=by)


@transaction.atomic
def tell_exhausted(
    endpoint: WebhookEndpoint, count: int, *, counted_from: datetime, by: Actor
) -> None:
    """Announce, once per day, how many deliveries of an endpoint used all attempts."""
    if _note(endpoint, "exhausted", counted_from):
        endpoint_events.announce(
            endpoint, "webhook_endpoint.exhausted", by=by, news={"number": str(count)}
        )


def _kind(hours: int) -> str:
    return f"failing_{hours}"


def _note(endpoint: WebhookEndpoint, kind: str, counted_from: datetime) -> bool:
    """Record that a notice was sent; return False if it was sent before."""
    _, new = EndpointNotice.objects.get_or_create(
        endpoint=endpoint, kind=kind, counted_from=counted_from, defaults={"at": clock.now()}
    )
    return new
