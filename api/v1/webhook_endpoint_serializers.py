"""Request and response serializers of webhook endpoints."""

from typing import Any

from rest_framework import serializers

from api.fields import StrictChoice, StrictSerializer, StrictText, mistake
from api.serializers import IdField, ObjectField, ResourceSerializer, StatusField
from apikeys.lifecycle import Environment
from apikeys.webhooks import lifecycle
from apikeys.webhooks.addresses import LONGEST
from apikeys.webhooks.endpoint_rules import MOST_KINDS
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason, Verification

_KINDS = (
    f"1 to {MOST_KINDS} event types, each once, or only `*` for all. The event catalogue"
    " lists them."
)


class EnabledEventsField(serializers.ListField):
    """The event types that an endpoint selects; validated when they are saved."""

    child = StrictText(max_length=60)

    def __init__(self, **more: Any) -> None:
        super().__init__(min_length=1, help_text=_KINDS, **more)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, list) and len(data) > MOST_KINDS:
            raise mistake("too_long", f"Send at most {MOST_KINDS} event types.")
        return super().to_internal_value(data)


class WebhookEndpointCreateSerializer(StrictSerializer):
    """POST /webhook-endpoints: the address and the event types."""

    url = StrictText(
        max_length=LONGEST,
        help_text=(
            "Your `https` address. The host must be a public IP address or a name with a dot. The "
            "port must be 443, 8443, 8080, 8000 or 8008. User names and fragments are not "
            "allowed."
        ),
    )
    enabled_events = EnabledEventsField()
    description = StrictText(
        max_length=255,
        allow_blank=True,
        required=False,
        help_text="Your description of the endpoint.",
    )


class WebhookEndpointUpdateSerializer(StrictSerializer):
    """PATCH /webhook-endpoints/{id}: the fields to change, at least one."""

    enabled_events = EnabledEventsField(required=False)
    status = StrictChoice(
        choices=EndpointStatus.values,
        required=False,
        help_text="`paused` stops deliveries and holds events. `active` resumes deliveries.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise mistake("missing", "Send `enabled_events`, `status`, or both.")
        return attrs


class EndpointVerificationSerializer(ResourceSerializer):
    """Whether an endpoint proved that it checks our signatures."""

    status = serializers.ChoiceField(
        source="verification", choices=Verification.values, help_text="Whether it passed."
    )
    verified_at = serializers.DateTimeField(
        allow_null=True, help_text="When it last passed, or null."
    )
    method = serializers.CharField(
        source="verification_method",
        allow_null=True,
        help_text="The method, `probe` or `challenge`, or null.",
    )
    last_result = serializers.ChoiceField(
        choices=["passed", "failed"],
        allow_null=True,
        help_text="The result of the latest verification, or null.",
    )


class EndpointBreakerSerializer(ResourceSerializer):
    """Whether we stopped sending because the receiver is down."""

    state = serializers.ChoiceField(
        source="breaker_state",
        choices=["closed", "open", "half_open"],
        help_text=(
            "`open` while we send nothing, `half_open` while one delivery tests the endpoint."
        ),
    )
    next_probe_at = serializers.DateTimeField(
        source="breaker_until",
        allow_null=True,
        help_text="When we next try a delivery, or null while the breaker is closed.",
    )


class WebhookEndpointSerializer(ResourceSerializer):
    """Your address that receives events."""

    id = IdField(help_text="The id of the endpoint.")
    object = ObjectField("webhook_endpoint")
    url = serializers.URLField(help_text="The address that receives events.")
    description = serializers.CharField(
        allow_blank=True, help_text="Your description of the endpoint."
    )
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="The environment of its events."
    )
    enabled_events = serializers.ListField(
        child=serializers.CharField(), help_text="The event types that it receives."
    )
    status = StatusField(lifecycle.ENDPOINT, help_text="`active` while we deliver events.")
    consecutive_failures = serializers.IntegerField(
        source="lane.consecutive_failures",
        help_text="The number of failed deliveries since the last success.",
    )
    last_success_at = serializers.DateTimeField(
        source="lane.last_success_at",
        allow_null=True,
        help_text="When a delivery last succeeded, or null.",
    )
    last_failure_at = serializers.DateTimeField(
        source="lane.last_failure_at",
        allow_null=True,
        help_text="When a delivery last failed, or null.",
    )
    last_error = serializers.CharField(
        source="lane.last_error", allow_null=True, help_text="The last error, or null."
    )
    created_at = serializers.DateTimeField(help_text="When you created it.")
    api_version = serializers.CharField(help_text="The API version of its events.")
    verification = EndpointVerificationSerializer(
        source="*", help_text="Whether the endpoint proved that it checks our signatures."
    )
    paused_reason = serializers.ChoiceField(
        choices=PausedReason.values,
        allow_null=True,
        help_text=(
            "Why it is paused: by you, after long failure, after a 410 response, or by our staff. "
            "Null while it is active."
        ),
    )
    breaker = EndpointBreakerSerializer(
        source="lane", help_text="Whether we stopped sending because the receiver is down."
    )
    previous_secret_expires_at = serializers.DateTimeField(
        source="previous_secret_ends_at",
        allow_null=True,
        help_text="When the previous secret expires, or null.",
    )
    pending_deliveries = serializers.IntegerField(
        help_text="The number of waiting deliveries. 10001 means more than 10,000."
    )


class WebhookEndpointSecretSerializer(WebhookEndpointSerializer):
    """An endpoint with its signing secret, which we show only once."""

    signing_secret = serializers.CharField(
        help_text=(
            "The secret that signs its deliveries. Store it: we return it again only if you "
            "repeat the call with the same `Idempotency-Key`."
        )
    )


class WebhookVerificationSerializer(ResourceSerializer):
    """A verification of whether an endpoint checks our signatures."""

    id = IdField(help_text="The ID of the verification.")
    object = ObjectField("webhook_verification")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    status = serializers.ChoiceField(
        source="result",
        choices=["running", "passed", "failed"],
        help_text="The result, when the verification has ended.",
    )
    created_at = serializers.DateTimeField(source="asked_at", help_text="When you requested it.")
    completed_at = serializers.DateTimeField(
        source="ended_at", allow_null=True, help_text="When it ended, or null."
    )


class WebhookVerificationResultSerializer(ResourceSerializer):
    """One request of a verification: the expected and the actual response."""

    request = serializers.CharField(
        source="probe",
        help_text="`P1` has a valid signature. `N1` to `N5` do not, and must be refused.",
    )
    passed = serializers.BooleanField(
        source="held", help_text="Whether the response was as expected."
    )
    expected = serializers.CharField(help_text="The expected response: `2xx` or `4xx`.")
    response_status = serializers.IntegerField(
        source="status",
        allow_null=True,
        help_text="The HTTP status of the response, or null if there was none.",
    )
    error = serializers.CharField(allow_null=True, help_text="Why there was no response, or null.")
    explanation = serializers.CharField(help_text="What the response shows.")


class WebhookVerificationDetailSerializer(WebhookVerificationSerializer):
    """A verification with the result of each request."""

    method = serializers.CharField(
        allow_null=True,
        help_text="The method by which it passed, `probe` or `challenge`, or null.",
    )
    results = WebhookVerificationResultSerializer(
        many=True,
        help_text=(
            "The result of each request, in the order sent. Empty while it is running, and if the "
            "endpoint was removed or its URL changed meanwhile."
        ),
    )
