"""Cancel pending deliveries and record why.

Rows are processed in pages, each in its own transaction, to keep locks short.
"""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from apikeys.webhooks import waiting
from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import QueuedDelivery, WebhookDelivery, WebhookEndpoint
from console.core import clock

# Maximum number of held deliveries per endpoint; newer ones are abandoned.
MOST_HELD = 1_000_000
_PAGE = 5000


def leave_out(endpoint: WebhookEndpoint) -> int:
    """Abandon an endpoint's pending deliveries, and return how many."""
    return _take_out(QueuedDelivery.objects.filter(endpoint=endpoint), DeliveryStatus.ABANDONED)


def abandon_removed() -> None:
    """Abandon the pending deliveries of removed endpoints."""
    removed = WebhookEndpoint.objects.filter(removed_at__isnull=False)
    for endpoint in removed.filter(pk__in=waiting.endpoints()):
        leave_out(endpoint)


def leave_out_what_is_too_much() -> list[int]:
    """Abandon the newest pending deliveries beyond MOST_HELD, and return the affected endpoints."""
    found = waiting.endpoints_with_more_than(MOST_HELD)
    for endpoint, since in found:
        rows = QueuedDelivery.objects.filter(endpoint=endpoint, pk__gte=since)
        _take_out(rows, DeliveryStatus.ABANDONED)
    return [endpoint for endpoint, _ in found]


def end_outlived() -> None:
    """Mark deliveries as exhausted whose event is past its retention period."""
    oldest = clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS)
    rows = QueuedDelivery.objects.filter(event_created_at__lt=oldest)
    _take_out(rows, DeliveryStatus.EXHAUSTED)


def _take_out(rows: QuerySet[QueuedDelivery], status: DeliveryStatus) -> int:
    """End the rows that no dispatcher has leased, in pages, and return how many."""
    ended = 0
    while True:
        count = _take_page_out(rows.filter(lease_until=None), status)
        ended += count
        if count < _PAGE:
            return ended


@transaction.atomic
def _take_page_out(rows: QuerySet[QueuedDelivery], status: DeliveryStatus) -> int:
    page = list(rows.select_for_update(no_key=True, of=("self",), skip_locked=True)[:_PAGE])
    if page:
        QueuedDelivery.objects.filter(pk__in=[row.pk for row in page]).delete()
        records = WebhookDelivery.objects.of_queued(page).filter(status=DeliveryStatus.PENDING)
        records.update(status=status, ended_at=clock.now())
    return len(page)
