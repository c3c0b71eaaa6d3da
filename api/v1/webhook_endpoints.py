"""A business's webhook endpoints and the operations on them (2.5)."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, OuterRef, Subquery, Value, When
from django.db.models.expressions import RawSQL
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import problem_for
from api.serializers import (
    NoContent,
    page_of,
)
from api.v1 import filters
from api.v1.examples import webhooks as examples
from api.v1.webhook_deliveries import (
    DELIVERIES,
    WebhookDeliveryQuerySerializer,
    WebhookDeliverySerializer,
    WebhookReplayCreateSerializer,
    WebhookReplaySerializer,
    kept_since,
    with_next_attempt,
)
from api.v1.webhook_endpoint_serializers import (
    WebhookEndpointCreateSerializer,
    WebhookEndpointSecretSerializer,
    WebhookEndpointSerializer,
    WebhookEndpointUpdateSerializer,
    WebhookVerificationSerializer,
)
from api.viewsets import ListMixin, RetrieveMixin, operation
from apikeys.lifecycle import Environment
from apikeys.webhooks import addresses, deliveries, endpoints, replays, verification
from apikeys.webhooks.lifecycle import EndpointStatus
from apikeys.webhooks.models import EndpointProbe, ReplayJob, WebhookEndpoint
from apikeys.webhooks.replays import Range
from console.core import clock

# The retention of events, minus the minute in which the oldest may be deleted.
_LONGEST = timedelta(days=settings.WEBHOOK_EVENT_DAYS, minutes=-1)
_LAST_RESULT = (
    EndpointProbe.objects.filter(endpoint=OuterRef("pk"), ended_at__isnull=False)
    .order_by("-asked_at")
    .values(result=Case(When(passed=True, then=Value("passed")), default=Value("failed")))
)
_PENDING = RawSQL(
    "(SELECT count(*) FROM (SELECT FROM webhooks_queueddelivery"
    " WHERE endpoint_id = webhooks_webhookendpoint.id LIMIT %s) AS waiting)",
    [deliveries.MOST_COUNTED + 1],
)


class WebhookEndpointViewSet(ListMixin, RetrieveMixin):
    """URLs of a business that receive its events."""

    product = "webhooks"
    resource = "webhook_endpoints"
    needs_provider = False
    queryset = WebhookEndpoint.objects.select_related("lane").annotate(
        last_result=Subquery(_LAST_RESULT[:1]), pending_deliveries=_PENDING
    )
    serializer_class = WebhookEndpointSerializer
    query_class = filters.of(WebhookEndpoint, WebhookEndpointSerializer, "status")
    words = "webhook endpoints", "webhook endpoint"
    example = examples.ENDPOINT

    @operation(
        body=WebhookEndpointCreateSerializer,
        answer=WebhookEndpointSecretSerializer,
        ask="refuse_forbidden_address",
        status=201,
        secret=True,
        example=examples.NEW_ENDPOINT,
    )
    def create(self, request: Request) -> Response:
        """Register a webhook endpoint. Only this response contains its signing secret."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        if self.claim.outcome is None:
            self.refuse_forbidden_address(body)
        environment = Environment(self.environment)
        made, secret = endpoints.create(self.business, environment, **body, by=self.actor)
        return self._with_secret(made, secret)

    def refuse_forbidden_address(self, body: dict[str, Any]) -> dict[str, Any]:
        """Refuse a URL that we must not connect to, before anything changes."""
        try:
            addresses.refuse_forbidden(addresses.read(body["url"]))
        except addresses.AddressRefused as refused:
            raise problem_for(refused) from None
        return {"allowed": True}

    @operation(body=WebhookEndpointUpdateSerializer, example=examples.CHANGED_ENDPOINT)
    def partial_update(self, request: Request) -> Response:
        """Change, pause or resume a webhook endpoint."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        endpoint = self.get_object()
        with transaction.atomic():
            if "enabled_events" in body:
                chosen = body["enabled_events"]
                endpoint = endpoints.change(endpoint, enabled_events=chosen, by=self.actor)
            if (status := body.get("status")) is not None:
                verb = endpoints.pause if status == EndpointStatus.PAUSED else endpoints.resume
                verb(endpoint, by=self.actor)
            return self.answer(self.get_object())

    @operation(answer=NoContent, status=204, example=examples.REMOVED_ENDPOINT)
    def destroy(self, request: Request) -> Response:
        """Remove a webhook endpoint. We cancel its pending deliveries and keep past records."""
        endpoints.remove(self.get_object(), by=self.actor)
        return Response(status=204)

    @action(detail=True, methods=["post"], url_path="rotate-secret")
    @operation(
        answer=WebhookEndpointSecretSerializer,
        secret=True,
        example=examples.ROTATED_ENDPOINT,
    )
    def rotate_secret(self, request: Request) -> Response:
        """Rotate the signing secret of a webhook endpoint. Only this response contains the new one.

        For one day, if your receiver refuses the new signature, we also sign with the old secret.
        """
        endpoint, secret = endpoints.rotate_secret(self.get_object(), by=self.actor)
        return self._with_secret(endpoint, secret)

    @action(detail=True, methods=["post"])
    @operation(answer=WebhookVerificationSerializer, status=202, example=examples.VERIFICATION)
    def verify(self, request: Request) -> Response:
        """Start the verification of a webhook endpoint, at most ten times a day."""
        probe = verification.ask(self.get_object(), by=self.actor)
        return self.answer(probe, WebhookVerificationSerializer)

    @action(detail=True, methods=["post"])
    @operation(answer=WebhookDeliverySerializer, status=202, example=examples.PING)
    def ping(self, request: Request) -> Response:
        """Send a test event to a webhook endpoint, whatever event types it selects."""
        sent = deliveries.ping(self.get_object(), by=self.actor)
        return self.answer(with_next_attempt(sent), WebhookDeliverySerializer)

    @action(detail=True)
    @operation(
        many=True,
        query=WebhookDeliveryQuerySerializer,
        answer=page_of(WebhookDeliverySerializer),
        example=examples.DELIVERIES,
    )
    def deliveries(self, request: Request) -> Response:
        """List the deliveries of a webhook endpoint, newest first."""
        given = self.parameters
        rows = DELIVERIES.filter(endpoint=self.get_object().pk, created_at__gte=kept_since())
        for lookup in given.keys() & {"created_at__gte", "created_at__lte"}:
            rows = rows.filter(**{lookup: given[lookup]})
        if "since" in given:
            rows = rows.filter(created_at__gte=given["since"])
        if "until" in given:
            rows = rows.filter(created_at__lte=given["until"])
        if given["status"]:
            rows = rows.filter(status__in=given["status"])
        if given["event"]:
            rows = rows.filter(event_kind__in=given["event"])
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(WebhookDeliverySerializer(page, many=True).data)

    @action(detail=True, methods=["post"])
    @operation(
        body=WebhookReplayCreateSerializer,
        answer=WebhookReplaySerializer,
        status=202,
        other_statuses=(200,),
        example=examples.REPLAY,
    )
    def replay(self, request: Request) -> Response:
        """Replay the deliveries of a time range, or count them."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        endpoint, body = self.get_object(), serializer.validated_data
        wanted = Range(
            since=body.get("since", clock.now() - _LONGEST),
            until=body.get("until", clock.now()),
            events=body.get("events", ()),
            statuses=body.get("statuses", ()),
        )
        if not body.get("dry_run", False):
            return self.answer(
                replays.start(endpoint, wanted, by=self.actor), WebhookReplaySerializer
            )
        counted = ReplayJob(
            public_id="", endpoint=endpoint, status="", since=wanted.since, until=wanted.until,
            counted=replays.count(endpoint, wanted),
        )  # fmt: skip
        return self.respond(WebhookReplaySerializer(counted).data, status=200)

    def _with_secret(self, endpoint: WebhookEndpoint, secret: str) -> Response:
        shown: Any = self.find(self.queryset, endpoint.public_id)
        shown.signing_secret = secret
        return self.answer(shown, WebhookEndpointSecretSerializer)
