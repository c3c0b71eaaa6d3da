"""Figures about webhooks: backlog, dispatchers and attempts."""

from collections.abc import Iterator

from django.db.models import Sum

from apikeys.webhooks import maintenance
from apikeys.webhooks.models import DispatcherHeartbeat, QueuedDelivery, WebhookEndpoint
from console.observability.figures import MOST, Figure, age, single


def read() -> Iterator[Figure]:
    waiting = QueuedDelivery.objects.order_by("pk").values_list("due_at", flat=True)[:MOST]
    due = [late for late in map(age, waiting) if late > 0]
    yield single("webhook_waiting", f"Webhooks that wait, up to {MOST}.", len(waiting))
    yield single("webhook_late_seconds", "How late the latest of them is.", max(due, default=0))
    about = "Time since a dispatcher last reported: infinite if none did and there are endpoints."
    yield single("webhook_dispatcher_age_seconds", about, _dispatcher_age())
    sums = DispatcherHeartbeat.objects.aggregate(sent=Sum("sent"), failed=Sum("failed"))
    values = {(name,): float(number or 0) for name, number in sums.items()}
    about = "Attempts of the running dispatchers since they started."
    yield Figure("webhook_attempts", about, values, ("result",))


def _dispatcher_age() -> float | None:
    beat = maintenance.newest_beat()
    needed = beat or WebhookEndpoint.objects.standing().exists()
    return age(beat.beat_at if beat else None) if needed else None
