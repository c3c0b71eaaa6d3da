"""POST .../replay: one delivery again, or a whole range of them."""

from datetime import timedelta
from typing import Any

from django.conf import settings

from api.gateway.operations import ApiAnswer, Call
from api.v1.callers import key_of
from api.v1.webhooks import delivery_reading
from api.v1.webhooks.endpoint_reading import find, moment
from apikeys.webhooks import deliveries, replays
from apikeys.webhooks.models import WebhookEndpoint
from apikeys.webhooks.replays import Range
from console.core import clock

# As long as events are kept, but for the minute in which the last of them may go.
_LONGEST = timedelta(days=settings.WEBHOOK_EVENT_DAYS, minutes=-1)


def replay_one(call: Call) -> ApiAnswer:
    """Send the event of a delivery again: the same event, byte for byte."""
    delivery = delivery_reading.find(call, call.names["id"])
    return ApiAnswer(delivery_reading.show(deliveries.resend(delivery, by=key_of(call))))


def replay_range(call: Call) -> ApiAnswer:
    """Send the deliveries of a range to their webhook endpoint again, or count them."""
    endpoint, body = find(call, call.names["id"]), call.body
    wanted = Range(
        since=body.get("since", clock.now() - _LONGEST),
        until=body.get("until", clock.now()),
        events=body.get("events", ()),
        statuses=body.get("statuses", ()),
    )
    if body.get("dry_run", False):
        return ApiAnswer(_counted(endpoint, wanted, replays.count(endpoint, wanted)), status=200)
    job = replays.start(endpoint, wanted, by=key_of(call))
    started = {
        "id": job.public_id,
        "dry_run": False,
        "status": str(job.status),
        "queued": job.queued,
        "until": moment(job.until),
        "created_at": moment(job.asked_at),
    }
    return ApiAnswer(_counted(endpoint, wanted, job.counted) | started)


def _counted(endpoint: WebhookEndpoint, wanted: Range, count: int) -> dict[str, Any]:
    return {
        "id": None,
        "object": "webhook_replay",
        "endpoint_id": endpoint.public_id,
        "dry_run": True,
        "status": None,
        "count": count,
        "queued": 0,
        "since": moment(wanted.since),
        "until": moment(wanted.until),
        "created_at": None,
    }
