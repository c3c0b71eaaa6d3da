"""Deliveries to webhook endpoints, past and pending (2.5)."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import OuterRef, Subquery
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictFlag, StrictSerializer, StrictText, any_of
from api.problems import ApiProblem
from api.serializers import IdField, ObjectField, ResourceSerializer, StatusField
from api.v1.examples import webhooks as examples
from api.v1.filters import CreatedQuerySerializer
from api.v1.shared_fields import MomentField
from api.viewsets import ResourceViewSet, operation
from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries, lifecycle
from apikeys.webhooks.endpoint_rules import MOST_KINDS
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus, ReplayStatus
from apikeys.webhooks.models import QueuedDelivery, WebhookDelivery
from console.core import clock


class WebhookDeliveryQuerySerializer(CreatedQuerySerializer):
    """GET /webhook-endpoints/{id}/deliveries: all deliveries, or filtered."""

    status = any_of(
        StrictChoice(choices=DeliveryStatus.values), "Only deliveries with this status."
    )
    event = any_of(StrictText(max_length=60), "Only events of this type.")
    since = MomentField(required=False, help_text="The same as `created_since`.")
    until = MomentField(required=False, help_text="The same as `created_until`.")


class WebhookDeliverySerializer(ResourceSerializer):
    """The delivery of one event to one endpoint."""

    id = IdField(help_text="The id of the delivery.")
    object = ObjectField("webhook_delivery")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    event_id = serializers.CharField(help_text="The id of the event.")
    event_type = serializers.CharField(source="event_kind", help_text="The event type.")
    kind = serializers.ChoiceField(
        choices=DeliveryKind.values,
        help_text="Whether this is the original event, a replay or a test event.",
    )
    status = StatusField(
        lifecycle.DELIVERY,
        help_text=(
            "`pending` until it ends, `exhausted` after the last failed attempt, `abandoned` if "
            "its endpoint was removed."
        ),
    )
    attempt_count = serializers.IntegerField(source="attempts", help_text="The number of attempts.")
    next_attempt_at = serializers.DateTimeField(
        source="due_at", allow_null=True, help_text="When the next attempt is due, or null."
    )
    created_at = serializers.DateTimeField(help_text="When it was created.")
    completed_at = serializers.DateTimeField(
        source="ended_at", allow_null=True, help_text="When it ended, or null."
    )


class WebhookDeliveryAttemptSerializer(ResourceSerializer):
    """One delivery attempt. Times are in microseconds from its start."""

    number = serializers.IntegerField(help_text="The number of the attempt, starting at 1.")
    at = serializers.DateTimeField(help_text="When the attempt started.")
    status = serializers.IntegerField(
        allow_null=True, help_text="The HTTP status of the response, or null if there was none."
    )
    error = serializers.CharField(
        allow_null=True, help_text="The error, or null if the attempt succeeded."
    )
    signed_with = serializers.ChoiceField(
        choices=["current", "previous"],
        help_text="The secret that signed the last request of this attempt.",
    )
    dns_us = serializers.IntegerField(
        allow_null=True,
        help_text="The time until the DNS lookup finished, or null if it was not needed.",
    )
    connect_us = serializers.IntegerField(
        allow_null=True,
        help_text="The time until the connection opened, or null if it was already open.",
    )
    first_byte_us = serializers.IntegerField(
        allow_null=True,
        help_text="The time until the first byte of the response, or null if there was none.",
    )
    total_us = serializers.IntegerField(allow_null=True, help_text="The total time.")
    response_excerpt = serializers.CharField(
        source="excerpt",
        allow_blank=True,
        help_text="The start of the response body, at most 4 KiB.",
    )


class WebhookDeliveryDetailSerializer(WebhookDeliverySerializer):
    """A delivery with all its attempts and its exact body."""

    attempts = WebhookDeliveryAttemptSerializer(
        source="kept_attempts", many=True, help_text="The stored attempts, in order."
    )
    request_body = serializers.CharField(
        allow_null=True,
        help_text="The exact body, or null if we no longer store the event.",
    )


class WebhookReplayCreateSerializer(StrictSerializer):
    """POST /webhook-endpoints/{id}/replay: the deliveries to send again."""

    since = MomentField(
        required=False,
        help_text=f"The start of the range. {settings.WEBHOOK_EVENT_DAYS} days ago by default "
        "and at most.",
    )
    until = MomentField(required=False, help_text="The end of the range. Now by default.")
    events = serializers.ListField(
        child=StrictText(max_length=60),
        max_length=MOST_KINDS,
        required=False,
        help_text="Only events of these types.",
    )
    statuses = serializers.ListField(
        child=StrictChoice(choices=DeliveryStatus.values),
        max_length=len(DeliveryStatus),
        required=False,
        help_text="Only deliveries with these statuses.",
    )
    dry_run = StrictFlag(
        required=False,
        help_text="`true` counts the deliveries without sending them and returns 200.",
    )


class WebhookReplaySerializer(ResourceSerializer):
    """A replay of deliveries, or the count of a dry run."""

    id = IdField(allow_null=True, help_text="The ID of the replay, or null for a dry run.")
    object = ObjectField("webhook_replay")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    dry_run = serializers.BooleanField(source="is_dry_run", help_text="Whether this was a dry run.")
    status = serializers.ChoiceField(
        choices=ReplayStatus.values,
        allow_null=True,
        help_text="The status of the replay, or null for a dry run.",
    )
    count = serializers.IntegerField(
        source="counted", help_text="The number of deliveries in the range."
    )
    queued = serializers.IntegerField(help_text="The number of deliveries queued so far.")
    since = serializers.DateTimeField(help_text="The start of the range.")
    until = serializers.DateTimeField(help_text="The end of the range.")
    created_at = serializers.DateTimeField(
        source="asked_at",
        allow_null=True,
        help_text="When you requested it, or null for a dry run.",
    )


DELIVERIES = WebhookDelivery.objects.select_related("endpoint").annotate(
    due_at=Subquery(
        QueuedDelivery.objects.filter(public_id=OuterRef("public_id"), lease_until=None).values(
            "due_at"
        )[:1]
    )
)


class WebhookDeliveryViewSet(ResourceViewSet):
    """Deliveries of events to endpoints."""

    product = "webhooks"
    resource = "webhook_deliveries"
    needs_provider = False
    serializer_class = WebhookDeliverySerializer

    @operation(answer=WebhookDeliveryDetailSerializer, example=examples.DELIVERY)
    def retrieve(self, request: Request) -> Response:
        """Read one delivery with all its attempts and its exact body."""
        delivery = with_next_attempt(self.get_object())
        delivery.kept_attempts = deliveries.attempts(delivery)
        body = deliveries.body(delivery)
        delivery.request_body = None if body is None else body.decode()
        return self.answer(delivery, WebhookDeliveryDetailSerializer)

    @action(detail=True, methods=["post"])
    @operation(status=202, example=examples.RESENT_DELIVERY)
    def replay(self, request: Request) -> Response:
        """Send the same event of a delivery again."""
        sent = deliveries.resend(self.get_object(), by=self.actor)
        return self.answer(with_next_attempt(sent))

    def get_object(self) -> WebhookDelivery:
        for environment in Environment:
            found = deliveries.find(self.business, environment, self.kwargs["id"])
            if found is not None:
                self.require_environment(environment)
                return found
        raise ApiProblem("NOT_FOUND")


def with_next_attempt(delivery: WebhookDelivery) -> Any:
    """Return a delivery annotated with the time of its next attempt."""
    shown: Any = delivery
    shown.due_at = deliveries.next_due(delivery)
    return shown


def kept_since() -> datetime:
    """Return a time before which nothing is stored, so that queries can skip old partitions."""
    return clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS + 1)
