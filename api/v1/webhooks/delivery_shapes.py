"""What operations on deliveries and replays take and answer."""

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictFlag, StrictSerializer, StrictText
from api.gateway.pages import PageQuery
from api.v1.described import Described, DescribedStatus
from api.v1.shared_fields import MomentField
from apikeys.webhooks import statuses
from apikeys.webhooks.endpoint_rules import MOST_KINDS
from apikeys.webhooks.lifecycle import DeliveryKind, DeliveryStatus, ReplayStatus


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


class WebhookDeliveryItem(Described):
    """One event for one endpoint, and what became of it."""

    id = serializers.CharField(help_text="The id of the delivery.")
    object = serializers.ChoiceField(choices=["webhook_delivery"], help_text="What this is.")
    endpoint_id = serializers.CharField(help_text="The id of the endpoint.")
    event_id = serializers.CharField(help_text="The id of the event.")
    event_type = serializers.CharField(help_text="The kind of the event.")
    kind = serializers.ChoiceField(
        choices=DeliveryKind.values,
        help_text="Whether it is the event as it happened, sent again, or a test event.",
    )
    status = DescribedStatus(
        statuses.DELIVERY,
        help_text="`pending` while it waits or is under way; `exhausted` after the last attempt;"
        " `abandoned` where its endpoint was removed.",
    )
    attempt_count = serializers.IntegerField(help_text="How often it was tried.")
    next_attempt_at = serializers.DateTimeField(
        allow_null=True, help_text="When it is tried next; null where it is not."
    )
    created_at = serializers.DateTimeField(help_text="When it was created.")
    completed_at = serializers.DateTimeField(
        allow_null=True, help_text="When it ended; null before."
    )


class DeliveryAttemptItem(Described):
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
        allow_blank=True, help_text="The beginning of what came back, at most 4 KiB."
    )


class DeliveryDetail(WebhookDeliveryItem):
    """A delivery with every attempt, and the exact body that is sent."""

    attempts = DeliveryAttemptItem(many=True, help_text="The attempts that are kept, in order.")
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


class ReplayItem(Described):
    """Deliveries of a range that are sent again, or would be."""

    id = serializers.CharField(
        allow_null=True, help_text="The id of the replay; null where it was counted only."
    )
    object = serializers.ChoiceField(choices=["webhook_replay"], help_text="What this is.")
    endpoint_id = serializers.CharField(help_text="The id of the endpoint.")
    dry_run = serializers.BooleanField(help_text="Whether it was counted only.")
    status = serializers.ChoiceField(
        choices=ReplayStatus.values,
        allow_null=True,
        help_text="Where it is; null where it was counted only.",
    )
    count = serializers.IntegerField(help_text="How many deliveries it is about.")
    queued = serializers.IntegerField(help_text="How many of them are queued again.")
    since = serializers.DateTimeField(help_text="From when on.")
    until = serializers.DateTimeField(help_text="Until when.")
    created_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was asked for; null where it was counted only."
    )
