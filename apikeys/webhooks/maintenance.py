"""Jobs of each minute: pause halted endpoints, end secret overlaps, limit held deliveries."""

import logging
from datetime import UTC, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from apikeys.webhooks import cancellation, endpoints, notices
from apikeys.webhooks.dispatcher.lanes import NEW_SECRET_TAKEN
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason
from apikeys.webhooks.models import DispatcherHeartbeat, WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.core import clock

log = logging.getLogger(__name__)

# A dispatcher sends a heartbeat every three seconds.
SILENT = timedelta(seconds=15)


def pause_halted() -> None:
    """Pause the endpoints that the dispatcher has halted. Their deliveries are held."""
    halted = WebhookEndpoint.objects.standing().filter(status=EndpointStatus.ACTIVE)
    for endpoint in halted.filter(lane__halted__gt="").select_related("lane", "business"):
        endpoints.pause(endpoint, reason=PausedReason(endpoint.lane.halted), by=SYSTEM)


def end_overlaps() -> None:
    """End the overlap of two secrets when its time is over or the receiver has the new secret."""
    over = Q(previous_secret_ends_at__lte=clock.now()) | Q(
        lane__current_accepted__gte=NEW_SECRET_TAKEN
    )
    overlapping = WebhookEndpoint.objects.standing().filter(previous_secret__isnull=False)
    for endpoint in overlapping.filter(over).select_related("business"):
        endpoints.end_overlap(endpoint, by=SYSTEM)


def keep_within_the_most() -> None:
    """Abandon held deliveries beyond the limit, and notify the endpoints concerned."""
    midnight = clock.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    full = WebhookEndpoint.objects.standing().filter(
        pk__in=cancellation.leave_out_what_is_too_much()
    )
    for endpoint in full.select_related("business").order_by("pk"):
        notices.tell_left_out(endpoint, counted_from=midnight, by=SYSTEM)


def missing() -> list[str]:
    """Return a sentence for the operators' page if endpoints exist but no dispatcher runs."""
    beat = newest_beat()
    if beat and beat.beat_at > clock.now() - SILENT:
        return []
    if not WebhookEndpoint.objects.standing().exists():
        return []
    if not beat:
        return [
            _(
                "The webhook dispatcher has never run. Deliveries are waiting and none is lost. "
                "Start the part `deliver`."
            )
        ]
    return [
        _(
            "The webhook dispatcher last ran %(ago)s. Deliveries are waiting and none is lost. "
            "Start the part `deliver`."
        )
        % {"ago": clock.ago(beat.beat_at)}
    ]


def log_missing() -> None:
    for sentence in missing():
        log.error("dispatcher_missing", extra={"why": sentence})


def newest_beat() -> DispatcherHeartbeat | None:
    return DispatcherHeartbeat.objects.order_by("-beat_at").first()
