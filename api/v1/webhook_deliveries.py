"""What was, or is to be, delivered to webhook endpoints (2.5)."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import OuterRef, Subquery
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictFlag, StrictSerializer, StrictText
from api.pagination import PageQuery
from api.problems import ApiProblem
from api.serializers import IdField, ObjectField, ResourceSerializer, StatusField, answer_of
from api.v1.examples import webhooks as examples
from api.v1.shared_fields import MomentField
from api.viewsets import ResourceViewSet, operation
from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries, lifecycle
from apikeys.webhooks.endpoint_rules import MOST_KINDS
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus, ReplayStatus
from apikeys.webhooks.models import QueuedDelivery, WebhookDelivery
from console.core import clock


class DeliveryQuery(PageQuery):
    """GET /webhook-endpoints/{id}/deliveries: all, or some."""

    status = serializers.ListField(
        child=StrictChoice(choices=DeliveryStatus.values),
        default=list,
        help_text="Only deliveries of this status. Repeat the parameter for more than one.",
    )
    event = serializers.ListField(
        child=StrictText(max_length=60),
        default=list,
        help_text="Only events of this kind. Repeat the parameter for more than one.",
    )
    since = MomentField(required=False, help_text="Only those that were created from then on.")
    until = MomentField(required=False, help_text="Only those that were created up to then.")


class WebhookDeliveryItem(ResourceSerializer):
    """One event for one endpoint, and what became of it."""

    id = IdField(help_text="The id of the delivery.")
    object = ObjectField("webhook_delivery")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    event_id = serializers.CharField(help_text="The id of the event.")
    event_type = serializers.CharField(source="event_kind", help_text="The kind of the event.")
    kind = serializers.ChoiceField(
        choices=DeliveryKind.values,
        help_text="Whether it is the event as it happened, sent again, or a test event.",
    )
    status = StatusField(
        lifecycle.DELIVERY,
        help_text="`pending` while it waits or is under way; `exhausted` after the last attempt;"
        " `abandoned` where its endpoint was removed.",
    )
    attempt_count = serializers.IntegerField(source="attempts", help_text="How often it was tried.")
    next_attempt_at = serializers.DateTimeField(
        source="due_at", allow_null=True, help_text="When it is tried next; null where it is not."
    )
    created_at = serializers.DateTimeField(help_text="When it was created.")
    completed_at = serializers.DateTimeField(
        source="ended_at", allow_null=True, help_text="When it ended; null before."
    )


class DeliveryAttemptItem(ResourceSerializer):
    """One attempt at a delivery. Times are microseconds since its beginning."""

    number = serializers.IntegerField(help_text="Its number, from 1.")
    at = serializers.DateTimeField(help_text="When it began.")
    status = serializers.IntegerField(
        allow_null=True, help_text="The HTTP status that came back; null without an answer."
    )
    error = serializers.CharField(
        allow_null=True, help_text="What failed; null where it went well."
    )
    signed_with = serializers.ChoiceField(
        choices=["current", "previous"], help_text="Which secret signed what was taken last."
    )
    dns_us = serializers.IntegerField(
        allow_null=True, help_text="Until the name was found; null where it was known."
    )
    connect_us = serializers.IntegerField(
        allow_null=True, help_text="Until the connection stood; null where it stood already."
    )
    first_byte_us = serializers.IntegerField(
        allow_null=True, help_text="Until the first byte came back; null without an answer."
    )
    total_us = serializers.IntegerField(allow_null=True, help_text="All together.")
    response_excerpt = serializers.CharField(
        source="excerpt",
        allow_blank=True,
        help_text="The beginning of what came back, at most 4 KiB.",
    )


class DeliveryDetail(WebhookDeliveryItem):
    """A delivery with every attempt, and the exact body that is sent."""

    attempts = DeliveryAttemptItem(
        source="kept_attempts", many=True, help_text="The attempts that are kept, in order."
    )
    request_body = serializers.CharField(
        allow_null=True,
        help_text="The body, byte for byte; null once the event is no longer kept.",
    )


class ReplayBody(StrictSerializer):
    """POST /webhook-endpoints/{id}/replay: which deliveries to send again."""

    since = MomentField(
        required=False,
        help_text="From when on; at most 30 days ago, which it is where it is left out.",
    )
    until = MomentField(required=False, help_text="Until when; until now where it is left out.")
    events = serializers.ListField(
        child=StrictText(max_length=60),
        max_length=MOST_KINDS,
        required=False,
        help_text="Only events of these kinds.",
    )
    statuses = serializers.ListField(
        child=StrictChoice(choices=DeliveryStatus.values),
        max_length=len(DeliveryStatus),
        required=False,
        help_text="Only deliveries of these statuses.",
    )
    dry_run = StrictFlag(
        required=False, help_text="`true` counts them and sends nothing; the answer is then a 200."
    )


class ReplayItem(ResourceSerializer):
    """Deliveries of a range that are sent again, or would be."""

    id = IdField(allow_null=True, help_text="The id of the replay; null where it was counted only.")
    object = ObjectField("webhook_replay")
    endpoint_id = serializers.CharField(
        source="endpoint.public_id", help_text="The id of the endpoint."
    )
    dry_run = serializers.BooleanField(
        source="is_dry_run", help_text="Whether it was counted only."
    )
    status = serializers.ChoiceField(
        choices=ReplayStatus.values,
        allow_null=True,
        help_text="Where it is; null where it was counted only.",
    )
    count = serializers.IntegerField(source="counted", help_text="How many deliveries it is about.")
    queued = serializers.IntegerField(help_text="How many of them are queued again.")
    since = serializers.DateTimeField(help_text="From when on.")
    until = serializers.DateTimeField(help_text="Until when.")
    created_at = serializers.DateTimeField(
        source="asked_at",
        allow_null=True,
        help_text="When it was asked for; null where it was counted only.",
    )


DELIVERIES = WebhookDelivery.objects.select_related("endpoint").annotate(
    due_at=Subquery(
        QueuedDelivery.objects.filter(public_id=OuterRef("public_id"), lease_until=None).values(
            "due_at"
        )[:1]
    )
)


class WebhookDeliveries(ResourceViewSet):
    """One event for one endpoint, and what became of it."""

    product = "webhooks"
    resource = "webhook_deliveries"
    needs_provider = False
    serializer_class = WebhookDeliveryItem

    @operation(answer=answer_of(DeliveryDetail), example=examples.DELIVERY)
    def retrieve(self, request: Request) -> Response:
        """Read one delivery, with every attempt and the exact body that is sent."""
        delivery = with_next_attempt(self.get_object())
        delivery.kept_attempts = deliveries.attempts(delivery)
        body = deliveries.body(delivery)
        delivery.request_body = None if body is None else body.decode()
        return self.answer(delivery, DeliveryDetail)

    @action(detail=True, methods=["post"])
    @operation(status=202, example=examples.RESENT_DELIVERY)
    def replay(self, request: Request) -> Response:
        """Send the event of a delivery again: the same event, byte for byte."""
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
    """Return a delivery that also knows when it is tried next."""
    shown: Any = delivery
    shown.due_at = deliveries.next_due(delivery)
    return shown


def kept_since() -> datetime:
    """Return the moment before which nothing is kept: it spares the days that are over."""
    return clock.now() - timedelta(days=settings.WEBHOOK_EVENT_DAYS + 1)
