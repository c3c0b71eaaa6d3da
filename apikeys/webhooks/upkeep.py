"""What the dispatcher cannot do is done here within the minute: pauses, overlaps, abandonments."""

import logging
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Q

from apikeys.webhooks import endpoints
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason
from apikeys.webhooks.models import DispatcherHeartbeat, WebhookEndpoint
from console.accounts.actors import Actor
from console.core import clock

log = logging.getLogger(__name__)

# A dispatcher says that it is there every three seconds.
SILENT = timedelta(seconds=15)
# In a row, so many deliveries taken with the new secret show that the receiver has it.
_TAKEN = 3
_PAGE = 5000

# Endpoints are found by one step into the index for each, whatever waits for them.
_ABANDON = """
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id FROM webhooks_queueddelivery WHERE lease_until IS NULL
   ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id FROM waiting CROSS JOIN LATERAL (
    SELECT endpoint_id FROM webhooks_queueddelivery
    WHERE lease_until IS NULL AND endpoint_id > waiting.endpoint_id
    ORDER BY endpoint_id LIMIT 1
  ) AS next
), chosen AS (
  SELECT q.id FROM waiting
  JOIN webhooks_webhookendpoint AS e ON e.id = waiting.endpoint_id AND e.removed_at IS NOT NULL
  JOIN webhooks_queueddelivery AS q ON q.endpoint_id = e.id AND q.lease_until IS NULL
  LIMIT %(page)s
  FOR UPDATE OF q SKIP LOCKED
), gone AS (
  DELETE FROM webhooks_queueddelivery AS q USING chosen WHERE q.id = chosen.id
  RETURNING q.public_id, q.created_at
), recorded AS (
  UPDATE webhooks_webhookdelivery AS d SET status = 'abandoned', ended_at = now()
  FROM gone
  WHERE d.public_id = gone.public_id AND d.created_at = gone.created_at AND d.status = 'pending'
)
SELECT count(*) FROM gone
"""
_OUTLIVED = """
WITH gone AS (
  DELETE FROM webhooks_queueddelivery
  WHERE event_created_at < now() - %(days)s * interval '1 day' AND lease_until IS NULL
  RETURNING public_id, created_at
), recorded AS (
  UPDATE webhooks_webhookdelivery AS d SET status = 'exhausted', ended_at = now()
  FROM gone
  WHERE d.public_id = gone.public_id AND d.created_at = gone.created_at AND d.status = 'pending'
)
SELECT count(*) FROM gone
"""


def pause_halted(*, by: Actor) -> None:
    """Pause each endpoint that the dispatcher sends nothing to any more. Nothing of it is lost."""
    halted = WebhookEndpoint.objects.standing().filter(status=EndpointStatus.ACTIVE)
    for endpoint in halted.filter(lane__halted__gt="").select_related("lane", "business"):
        endpoints.pause(endpoint, reason=PausedReason(endpoint.lane.halted), by=by)


def end_overlaps(*, by: Actor) -> None:
    """End each overlap of two secrets that is over, or that the receiver needs no more."""
    over = Q(previous_secret_ends_at__lte=clock.now()) | Q(lane__current_accepted__gte=_TAKEN)
    overlapping = WebhookEndpoint.objects.standing().filter(previous_secret__isnull=False)
    for endpoint in overlapping.filter(over).select_related("business"):
        endpoints.end_overlap(endpoint, by=by)


def abandon_removed() -> None:
    """Take what waits for removed endpoints out of the queue; the record says what became of it."""
    while _count(_ABANDON, page=_PAGE) == _PAGE:
        pass


def end_outlived() -> None:
    """End what waits for an event that is no longer kept: its endpoint was paused all the time."""
    _count(_OUTLIVED, days=settings.WEBHOOK_EVENT_DAYS)


def missing() -> list[str]:
    """Say that nobody sends webhooks, where somebody waits for them: for the operators' page."""
    beat = newest_beat()
    if beat and beat.beat_at > clock.now() - SILENT:
        return []
    if not WebhookEndpoint.objects.standing().exists():
        return []
    since = f"was last heard of {clock.ago(beat.beat_at)}" if beat else "was never heard of"
    return [
        f"The dispatcher of webhooks {since}. Deliveries wait, and none is lost: "
        "start the part `deliver`."
    ]


def log_missing() -> None:
    """Write into the log that nobody sends webhooks."""
    for sentence in missing():
        log.error("dispatcher_missing", extra={"why": sentence})


def newest_beat() -> DispatcherHeartbeat | None:
    return DispatcherHeartbeat.objects.order_by("-beat_at").first()


def _count(query: str, **parameters: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        (count,) = cursor.fetchone() or (0,)
    return int(count)
