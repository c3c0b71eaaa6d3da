"""What operations on webhook endpoints take and answer."""

from typing import Any

from rest_framework import serializers

from api.fields import StrictChoice, StrictSerializer, StrictText, mistake
from api.pagination import PageQuery
from api.serializers import IdField, ObjectField, ResourceSerializer, StatusField
from apikeys.lifecycle import Environment
from apikeys.webhooks import lifecycle
from apikeys.webhooks.addresses import LONGEST
from apikeys.webhooks.endpoint_rules import MOST_KINDS
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason, Verification

_KINDS = (
    f"1 to {MOST_KINDS} kinds of events, each once, or `*` alone for all. The catalogue of events"
    " lists them."
)


class EnabledEventsField(serializers.ListField):
    """The kinds that an endpoint selects. Which there are is told when they are kept."""

    child = StrictText(max_length=60)

    def __init__(self, **more: Any) -> None:
        super().__init__(min_length=1, help_text=_KINDS, **more)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, list) and len(data) > MOST_KINDS:
            raise mistake("too_long", f"Send at most {MOST_KINDS} kinds.")
        return super().to_internal_value(data)


class WebhookEndpointBody(StrictSerializer):
    """POST /webhook-endpoints: where to deliver, and what."""

    url = StrictText(
        max_length=LONGEST,
        help_text="An `https` address of yours, with a host that has a dot in its name, or a public"
        " IP address; port 443, 8443, 8080, 8000 or 8008; without user name and fragment.",
    )
    enabled_events = EnabledEventsField()
    description = StrictText(
        max_length=255, allow_blank=True, required=False, help_text="What you say of it."
    )


class WebhookEndpointChange(StrictSerializer):
    """PATCH /webhook-endpoints/{id}: the members that change; at least one."""

    enabled_events = EnabledEventsField(required=False)
    status = StrictChoice(
        choices=EndpointStatus.values,
        required=False,
        help_text="`paused` sends nothing more and keeps everything; `active` goes on with it.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise mistake("missing", "Send `enabled_events`, `status`, or both.")
        return attrs


class WebhookEndpointQuery(PageQuery):
    """GET /webhook-endpoints: all, or those of one status."""

    status = serializers.ListField(
        child=StrictChoice(choices=EndpointStatus.values),
        default=list,
        help_text="Only endpoints of this status. Repeat the parameter for more than one.",
    )


class EndpointVerification(ResourceSerializer):
    """Whether an endpoint proved that it checks our signatures."""

    status = serializers.ChoiceField(
        source="verification", choices=Verification.values, help_text="Whether it did."
    )
    verified_at = serializers.DateTimeField(
        allow_null=True, help_text="When it last did; null before it has."
    )
    method = serializers.CharField(
        source="verification_method",
        allow_null=True,
        help_text="How: `probe` or `challenge`; null before.",
    )
    last_result = serializers.ChoiceField(
        choices=["passed", "failed"],
        allow_null=True,
        help_text="What the newest round of probes showed; null before the first has ended.",
    )


class EndpointBreaker(ResourceSerializer):
    """Whether sending rests because the receiver is down."""

    state = serializers.ChoiceField(
        source="breaker_state",
        choices=["closed", "open", "half_open"],
        help_text="`open` while nothing is sent; `half_open` while one delivery tries again.",
    )
    next_probe_at = serializers.DateTimeField(
        source="breaker_until",
        allow_null=True,
        help_text="When the next delivery tries; null while it is closed.",
    )


class WebhookEndpointItem(ResourceSerializer):
    """An address of yours to which events are delivered."""

    id = IdField(help_text="The id of the endpoint.")
    object = ObjectField("webhook_endpoint")
    url = serializers.URLField(help_text="Where events are delivered.")
    description = serializers.CharField(allow_blank=True, help_text="What you say of it.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="The environment whose events it gets."
    )
    enabled_events = serializers.ListField(
        child=serializers.CharField(), help_text="The kinds of events that are delivered."
    )
    status = StatusField(lifecycle.ENDPOINT, help_text="`active` while events are delivered.")
    consecutive_failures = serializers.IntegerField(
        source="lane.consecutive_failures",
        help_text="Deliveries that failed since the last that did not.",
    )
    last_success_at = serializers.DateTimeField(
        source="lane.last_success_at",
        allow_null=True,
        help_text="When a delivery last succeeded; null before the first.",
    )
    last_failure_at = serializers.DateTimeField(
        source="lane.last_failure_at",
        allow_null=True,
        help_text="When a delivery last failed; null before the first.",
    )
    last_error = serializers.CharField(
        source="lane.last_error", allow_null=True, help_text="Why; null where nothing has failed."
    )
    created_at = serializers.DateTimeField(help_text="When you created it.")
    api_version = serializers.CharField(help_text="The version that its events are written in.")
    verification = EndpointVerification(source="*", help_text="Whether it checks our signatures.")
    paused_reason = serializers.ChoiceField(
        choices=PausedReason.values,
        allow_null=True,
        help_text="Why it is paused: by you, because it failed for too long, because it answered"
        " 410, or by our staff; null while it is active.",
    )
    breaker = EndpointBreaker(
        source="lane", help_text="Whether sending rests because the receiver is down."
    )
    previous_secret_expires_at = serializers.DateTimeField(
        source="previous_secret_ends_at",
        allow_null=True,
        help_text="Until when the replaced secret counts too; null without one.",
    )
    pending_deliveries = serializers.IntegerField(
        help_text="Deliveries that wait; 10001 stands for more than 10,000."
    )


class WebhookEndpointSecretItem(WebhookEndpointItem):
    """An endpoint with its signing secret, which is shown this once."""

    signing_secret = serializers.CharField(
        help_text="The secret that signs its deliveries. Keep it: it is not shown again, but for"
        " the same call with the same `Idempotency-Key`."
    )


class VerificationItem(ResourceSerializer):
    """A round of probes that shows whether an endpoint checks our signatures."""

    id = IdField(help_text="The id of the round.")
    object = ObjectField("webhook_verification")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    status = serializers.ChoiceField(
        source="result",
        choices=["running", "passed", "failed"],
        help_text="What it showed, once it has ended.",
    )
    created_at = serializers.DateTimeField(source="asked_at", help_text="When it was asked for.")
    completed_at = serializers.DateTimeField(
        source="ended_at", allow_null=True, help_text="When it ended; null before."
    )
