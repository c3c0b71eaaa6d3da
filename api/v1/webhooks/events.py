"""GET /events, /events/{id}: what happened, as it is delivered; kept for 30 days."""

from typing import Any

import orjson
from rest_framework import serializers

from api.gateway.fields import StrictText
from api.gateway.operations import ApiAnswer, Call
from api.gateway.pages import PageQuery, page, window
from api.gateway.problems import ApiProblem
from api.v1.described import Described
from api.v1.resource import require_environment
from api.v1.shared_fields import MomentField
from api.v1.webhooks.delivery_reading import kept_since
from api.v1.webhooks.endpoint_reading import find as find_endpoint
from api.v1.webhooks.keyset import KeysetList, ask
from apikeys.lifecycle import Environment
from apikeys.webhooks.deliveries import PING


class EventQuery(PageQuery):
    """GET /events: all, or some."""

    type = serializers.ListField(
        child=StrictText(max_length=60),
        default=list,
        help_text="Only events of this kind. Repeat the parameter for more than one.",
    )
    resource = StrictText(
        max_length=40, required=False, help_text="Only events of the object with this id."
    )
    since = MomentField(required=False, help_text="Only events from then on.")
    undelivered_to = StrictText(
        max_length=40,
        required=False,
        help_text="Only events that this webhook endpoint selects and has not acknowledged.",
    )


class EventItem(Described):
    """Something that happened, as it is delivered."""

    id = serializers.CharField(help_text="The id of the event: handle each once.")
    object = serializers.ChoiceField(choices=["event"], help_text="What this is.")
    type = serializers.CharField(help_text="Its kind, such as `transfer.completed`.")
    created_at = serializers.DateTimeField(help_text="When it happened.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="Where it happened."
    )
    api_version = serializers.CharField(help_text="The version that its data are written in.")
    sequence = serializers.IntegerField(
        help_text="Counts the events of one object, from 1 and without a gap."
    )
    data = serializers.DictField(  # type: ignore[assignment]  # as DRF has it
        help_text="The object that it happened to."
    )


_FILTERS = (
    " AND event.created_at >= $6::timestamptz"
    " AND ($7::text[] = '{}' OR event.kind = ANY ($7::text[]))"
    " AND ($8::text = '' OR event.resource_id = $8::text)"
)
_LIST = KeysetList(
    place="event",
    columns=["event.body"],
    tables="webhooks_publicevent AS event",
    where=f"event.business_id = $4 AND event.environment = $5 AND event.kind <> '{PING}'{_FILTERS}",
)
# In the order of the deliveries, which is that of their events: an event is delivered with the
# change. What was sent again and arrived is acknowledged too.
_UNDELIVERED = KeysetList(
    place="delivery",
    columns=["event.body"],
    tables="webhooks_webhookdelivery AS delivery JOIN webhooks_publicevent AS event"
    " ON event.public_id = delivery.event_id AND event.created_at = delivery.event_created_at",
    where="event.business_id = $4 AND event.environment = $5 AND delivery.endpoint_id = $9::bigint"
    " AND delivery.created_at >= $6::timestamptz"
    " AND delivery.kind = 'normal' AND delivery.status <> 'delivered'"
    " AND NOT EXISTS (SELECT FROM webhooks_webhookdelivery AS again"
    " WHERE again.event_id = delivery.event_id AND again.endpoint_id = delivery.endpoint_id"
    f" AND again.status = 'delivered' AND again.created_at >= delivery.created_at){_FILTERS}",
)
_ONE = """
SELECT environment, body FROM webhooks_publicevent
WHERE business_id = $1 AND public_id = $2 AND created_at >= $3::timestamptz
"""


def list_events(call: Call) -> ApiAnswer:
    """List what happened, as it is delivered, the newest first."""
    given = call.parameters
    kinds, resource = sorted(set(given["type"])), given.get("resource", "")
    since = max(given.get("since") or kept_since(), kept_since())
    endpoint = given.get("undelivered_to", "")
    asked = window(call, str(given.get("since")), resource, endpoint, *kinds)
    values: list[Any] = [call.business.pk, call.environment, since, kinds, resource]
    listed = _LIST
    if endpoint:
        listed = _UNDELIVERED
        values.append(find_endpoint(call, endpoint).pk)
    return page(listed.rows(asked, *values), asked, orjson.loads)


def read(call: Call) -> ApiAnswer:
    """Read one event, as it is delivered."""
    rows = ask(_ONE, call.business.pk, call.names["id"], kept_since())
    if not rows:
        raise ApiProblem("NOT_FOUND")
    environment, body = rows[0]
    require_environment(call, environment)
    return ApiAnswer(orjson.loads(body))
