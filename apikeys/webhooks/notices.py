"""What the people of a business are told of an endpoint that fails: once each, in good time."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef

from apikeys.webhooks import endpoint_events
from apikeys.webhooks.lifecycle import DeliveryStatus, EndpointStatus
from apikeys.webhooks.models import EndpointNotice, WebhookDelivery, WebhookEndpoint
from console.accounts.actors import SYSTEM, Actor
from console.core import clock

# Hours without a success after which its people hear of it.
FAILING_HOURS = (1, 24, 72)
# A delivery whose attempts are used up was created so long ago at most: 76 hours of waits, of which
# each may be a fifth longer, and what a receiver asked for besides.
_LONGEST_LIFE = timedelta(days=6)
_DAY = timedelta(days=1)


def give_notices() -> None:
    """Tell of every endpoint that has been failing for an hour, a day, three days."""
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
    """Tell, once for each day (UTC), of the deliveries that used every attempt in it."""
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
    """Tell the people of an endpoint, once, that nothing has gone well for so many hours."""
    if _note(endpoint, _kind(hours), counted_from):
        endpoint_events.announce(
            endpoint, "webhook_endpoint.failing", by=by, news={"number": str(hours)}
        )


@transaction.atomic
def tell_left_out(endpoint: WebhookEndpoint, *, counted_from: datetime, by: Actor) -> None:
    """Tell the people of an endpoint, once, that events of a day were not held for it."""
    if _note(endpoint, "left_out", counted_from):
        endpoint_events.announce(endpoint, "webhook_endpoint.left_out", by=by)


@transaction.atomic
def tell_exhausted(
    endpoint: WebhookEndpoint, count: int, *, counted_from: datetime, by: Actor
) -> None:
    """Tell the people of an endpoint, once, how many deliveries of a day used every attempt."""
    if _note(endpoint, "exhausted", counted_from):
        endpoint_events.announce(
            endpoint, "webhook_endpoint.exhausted", by=by, news={"number": str(count)}
        )


def _kind(hours: int) -> str:
    return f"failing_{hours}"


def _note(endpoint: WebhookEndpoint, kind: str, counted_from: datetime) -> bool:
    """Note that a notice is given; False when it was given before."""
    _, new = EndpointNotice.objects.get_or_create(
        endpoint=endpoint, kind=kind, counted_from=counted_from, defaults={"at": clock.now()}
    )
    return new
