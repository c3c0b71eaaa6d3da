"""GET /events, /events/{id}: events as delivered, kept for `WEBHOOK_EVENT_DAYS`."""

from typing import Any

import orjson
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictText, any_of
from api.serializers import IdField, ObjectField, ResourceSerializer
from api.v1.examples import webhooks as examples
from api.v1.filters import CreatedQuerySerializer
from api.v1.shared_fields import MomentField
from api.v1.webhook_deliveries import kept_since
from api.viewsets import ResourceViewSet, operation
from apikeys.lifecycle import Environment
from apikeys.webhooks.deliveries import PING
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus
from apikeys.webhooks.models import PublicEvent, WebhookDelivery, WebhookEndpoint


class EventQuerySerializer(CreatedQuerySerializer):
    """GET /events: all events, or filtered."""

    type = any_of(StrictText(max_length=60), "Only events of this type.")
    resource = StrictText(
        max_length=40, required=False, help_text="Only events of the object with this ID."
    )
    since = MomentField(required=False, help_text="The same as `created_since`.")
    undelivered_to = StrictText(
        max_length=40,
        required=False,
        help_text="Only events that this webhook endpoint selects and has not confirmed.",
    )


class EventSerializer(ResourceSerializer):
    """An event, as we deliver it."""

    id = IdField(help_text="The ID of the event. Process each ID only once.")
    object = ObjectField("event")
    type = serializers.CharField(help_text="The event type.")
    created_at = serializers.DateTimeField(help_text="The time of the event.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="The environment of the event."
    )
    api_version = serializers.CharField(help_text="The API version of its data.")
    sequence = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text=(
            "The number of this event among the events of one object, from 1 without gaps. Test "
            "events have none."
        ),
    )
    data = serializers.DictField(  # type: ignore[assignment]  # as DRF has it
        help_text="The object of the event."
    )


class EventViewSet(ResourceViewSet):
    """Events, byte for byte as delivered."""

    product = "webhooks"
    resource = "events"
    needs_provider = False
    queryset = PublicEvent.objects.all()
    serializer_class = EventSerializer
    query_class = EventQuerySerializer
    example = examples.EVENT

    @operation(many=True)
    def list(self, request: Request) -> Response:
        """List events as we deliver them, newest first."""
        given = self.parameters
        asked = [given[name] for name in ("since", "created_at__gte") if name in given]
        since = max([*asked, kept_since()])
        wanted = Q(resource_id=given["resource"]) if "resource" in given else Q()
        rows: QuerySet[Any]
        if "undelivered_to" in given:
            endpoint = self.find_named(WebhookEndpoint.objects.all(), "undelivered_to", given)
            rows = _undelivered(endpoint, since)
        else:
            rows = (
                self.get_queryset()
                .filter(environment=self.environment, created_at__gte=since)
                .exclude(kind=PING)
            )
        if "created_at__lte" in given:
            rows = rows.filter(created_at__lte=given["created_at__lte"])
        if given["type"]:
            rows = rows.filter(kind__in=given["type"])
        page = self.paginate_queryset(rows.filter(wanted)) or ()
        return self.get_paginated_response([orjson.loads(bytes(row.body)) for row in page])

    @operation()
    def retrieve(self, request: Request) -> Response:
        """Read one event as we deliver it."""
        kept = self.queryset.filter(created_at__gte=kept_since())
        return self.respond(orjson.loads(bytes(self.find(kept, self.kwargs["id"]).body)))


def _undelivered(endpoint: WebhookEndpoint, since: Any) -> QuerySet[WebhookDelivery]:
    """Return deliveries of selected events that the endpoint has not acknowledged.

    They are in the order of their events, because deliveries are created with the change. An event
    acknowledged when sent again counts as acknowledged.
    """
    event = PublicEvent.objects.filter(
        public_id=OuterRef("event_id"), created_at=OuterRef("event_created_at")
    )
    again = WebhookDelivery.objects.filter(
        event_id=OuterRef("event_id"), endpoint=endpoint, status=DeliveryStatus.DELIVERED,
        created_at__gte=OuterRef("created_at"),
    )  # fmt: skip
    rows = WebhookDelivery.objects.filter(
        ~Exists(again), endpoint=endpoint, created_at__gte=since, kind=DeliveryKind.NORMAL
    ).exclude(status=DeliveryStatus.DELIVERED)
    return rows.annotate(
        body=Subquery(event.values("body")), resource_id=Subquery(event.values("resource_id"))
    ).filter(body__isnull=False)
