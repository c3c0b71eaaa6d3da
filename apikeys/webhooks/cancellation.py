"""Take deliveries that wait out of the queue for good. Their records say what became of them.

Pages of rows are worked off, each in its own transaction, so nothing waits for a long one.
"""

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from apikeys.webhooks import waiting
from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import QueuedDelivery, WebhookDelivery, WebhookEndpoint
from console.core import clock

if TYPE_CHECKING:
    from django.db.models import QuerySet

# The most that is held for one endpoint, the oldest first; what comes after is left out.
MOST_HELD = 1_000_000
_PAGE = 5000


def leave_out(endpoint: WebhookEndpoint) -> int:
    """Abandon what waits for an endpoint, and return how many that were."""
    return _take_out(QueuedDelivery.objects.filter(endpoint=endpoint), DeliveryStatus.ABANDONED)


def abandon_removed() -> None:
    """Abandon what waits for removed endpoints."""
    removed = WebhookEndpoint.objects.filter(removed_at__isnull=False)
    for endpoint in removed.filter(pk__in=waiting.endpoints()):
        leave_out(endpoint)


def leave_out_what_is_too_much() -> list[int]:
    """Abandon the newest of what waits where it is more than MOST_HELD; return the endpoints."""
    found = waiting.endpoints_with_more_than(MOST_HELD)
    for endpoint, since in found:
        rows = QueuedDelivery.objects.filter(endpoint=endpoint, pk__gte=since)
        _take_out(rows, DeliveryStatus.ABANDONED)
    return [endpoint for endpoint, _ in found]


def end_outlived() -> None:
    """End what waits for an event that is no longer kept: its endpoint was paused all the time."""
    oldest = clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS)
    rows = QueuedDelivery.objects.filter(event_created_at__lt=oldest)
    _take_out(rows, DeliveryStatus.EXHAUSTED)


def _take_out(rows: "QuerySet[QueuedDelivery]", status: DeliveryStatus) -> int:
    """Take out those rows that nobody sends now, page by page, and return how many they were."""
    ended = 0
    while True:
        count = _take_page_out(rows.filter(lease_until=None), status)
        ended += count
        if count < _PAGE:
            return ended


@transaction.atomic
def _take_page_out(rows: "QuerySet[QueuedDelivery]", status: DeliveryStatus) -> int:
    page = list(rows.select_for_update(no_key=True, of=("self",), skip_locked=True)[:_PAGE])
    if page:
        QueuedDelivery.objects.filter(pk__in=[row.pk for row in page]).delete()
        records = WebhookDelivery.objects.of_queued(page).filter(status=DeliveryStatus.PENDING)
        records.update(status=status, ended_at=clock.now())
    return len(page)
