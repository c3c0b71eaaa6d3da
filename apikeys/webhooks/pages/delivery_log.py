"""Data for the list of an endpoint's deliveries: states, filters and pages."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries
from apikeys.webhooks.lifecycle import DeliveryStatus
from apikeys.webhooks.models import WebhookDelivery, WebhookEndpoint
from console.core.status_table import Tone
from console.shell import keyset_pages
from console.shell.keyset_pages import KeysetPage

PAGE = 50
# The states shown to a business, and the statuses they stand for.
STATES = {
    "delivered": (_("Delivered"), [DeliveryStatus.DELIVERED]),
    "pending": (_("Pending"), [DeliveryStatus.PENDING]),
    "failed": (_("Failed"), [DeliveryStatus.EXHAUSTED, DeliveryStatus.ABANDONED]),
}
_TONES: dict[str, Tone] = {"delivered": "ok", "pending": "accent", "failed": "danger"}


@dataclass(frozen=True)
class DeliveryFilters:
    """Filters of the list; empty ones do not filter. `event` is an event's id."""

    state: str = ""
    kind: str = ""
    event: str = ""

    def condition(self) -> Q:
        exact = {"event_kind": self.kind, "event_id": self.event}
        found = Q(**{name: value for name, value in exact.items() if value})
        return found & Q(status__in=STATES[self.state][1]) if self.state else found


@dataclass(frozen=True)
class ListedDelivery:
    """A delivery and the state shown for it."""

    row: WebhookDelivery
    label: str
    tone: Tone


def page(endpoint: WebhookEndpoint, filters: DeliveryFilters, *, after: str = "") -> KeysetPage:
    """Return a page of listed deliveries, newest first. One query."""
    found = deliveries.deliveries_to(endpoint).filter(filters.condition())
    page = keyset_pages.page_of(found, "-created_at", after, size=PAGE)
    return replace(page, rows=[listed(endpoint, row) for row in page.rows])


def newest(endpoint: WebhookEndpoint) -> list[ListedDelivery]:
    """Return the ten newest deliveries. One query."""
    return [listed(endpoint, row) for row in deliveries.deliveries_to(endpoint)[:10]]


def listed(endpoint: WebhookEndpoint, row: WebhookDelivery) -> ListedDelivery:
    """Return a delivery with the state to show; pending ones of a held endpoint are “held”."""
    state = next(name for name, (_label, statuses) in STATES.items() if row.status in statuses)
    if state == "pending" and endpoint.holds:
        return ListedDelivery(row, gettext("Held"), "warning")
    if row.status == DeliveryStatus.ABANDONED:
        return ListedDelivery(row, gettext("Abandoned"), "danger")
    return ListedDelivery(row, str(STATES[state][0]), _TONES[state])


def attempt_days(endpoint: WebhookEndpoint) -> int:
    """Return for how many days attempts at this endpoint are kept."""
    if endpoint.environment == Environment.LIVE:
        return settings.WEBHOOK_LIVE_ATTEMPT_DAYS
    return settings.WEBHOOK_SANDBOX_ATTEMPT_DAYS
