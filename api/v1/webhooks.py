"""GET /webhook-endpoints, /events: the lists stand; both come with webhooks."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.calls import ApiAnswer, Call
from api.gateway.operations import Operation
from api.gateway.pages import PageQuery
from api.v1 import examples
from api.v1.described import Described, page_of
from apikeys.lifecycle import Environment


class WebhookEndpointItem(Described):
    """An address of yours to which events are delivered."""

    id = serializers.CharField(help_text="The id of the endpoint.")
    object = serializers.ChoiceField(choices=["webhook_endpoint"], help_text="What this is.")
    url = serializers.URLField(help_text="Where events are delivered.")
    description = serializers.CharField(allow_blank=True, help_text="What you say of it.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="The environment whose events it gets."
    )
    enabled_events = serializers.ListField(
        child=serializers.CharField(), help_text="The kinds of events that are delivered."
    )
    status = serializers.ChoiceField(
        choices=["active", "paused"], help_text="`active` while events are delivered."
    )
    consecutive_failures = serializers.IntegerField(
        help_text="Deliveries that failed since the last that did not."
    )
    last_success_at = serializers.DateTimeField(
        allow_null=True, help_text="When a delivery last succeeded; null before the first."
    )
    last_failure_at = serializers.DateTimeField(
        allow_null=True, help_text="When a delivery last failed; null before the first."
    )
    last_error = serializers.CharField(
        allow_null=True, help_text="Why; null where nothing has failed."
    )
    created_at = serializers.DateTimeField(help_text="When you created it.")


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


def list_endpoints(call: Call) -> ApiAnswer:
    """List webhook endpoints. None can be created yet, so the list is empty."""
    return pages.none(call)


def list_events(call: Call) -> ApiAnswer:
    """List events. None is delivered yet, so the list is empty."""
    return pages.none(call)


OPERATIONS = [
    Operation(
        "webhook_endpoints.list",
        "GET",
        "/webhook-endpoints",
        product="webhooks",
        scope="webhooks:read",
        function=list_endpoints,
        query=PageQuery,
        answer=page_of(WebhookEndpointItem),
        example=examples.page_of(),
    ),
    Operation(
        "events.list",
        "GET",
        "/events",
        product="webhooks",
        scope="webhooks:read",
        function=list_events,
        query=PageQuery,
        answer=page_of(EventItem),
        example=examples.page_of(),
    ),
]
