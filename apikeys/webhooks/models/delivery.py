"""Deliveries: the record, the queue, the attempts, and the state of sending to an endpoint."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from apikeys.webhooks.lifecycle import (
    DELIVERY_LIFECYCLE,
    DeliveryKind,
    DeliveryStatus,
    PausedReason,
)
from apikeys.webhooks.models.endpoint import WebhookEndpoint
from console.core import clock
from console.core.moves_constraint import MovesConstraint

# PostgreSQL channel for the dispatcher; the payload is an endpoint's primary key.
CHANNEL = "webhook_deliveries"


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def of_queued(self, rows: Sequence["QueuedDelivery"]) -> Self:
        """Return the records of at least one row of the queue."""
        moments = [row.created_at for row in rows]
        # Filtering by time selects the partitions.
        return self.filter(
            public_id__in=[row.public_id for row in rows],
            created_at__range=(min(moments), max(moments)),
        )


class WebhookDelivery(models.Model):
    """One event for one endpoint, and its status. Partitioned by the day of `created_at`.

    While it is pending, there is a `QueuedDelivery` with the same `public_id`.
    """

    public_id = models.CharField(max_length=40)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.DO_NOTHING, db_index=False)
    event_id = models.CharField(max_length=40)
    event_created_at = models.DateTimeField()
    event_kind = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=DeliveryKind)
    status = models.CharField(max_length=20, choices=DeliveryStatus)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["endpoint", "-created_at", "-id"], name="deliveries_in_reading_order"
            ),
            models.Index(
                fields=["endpoint", "event_kind", "-created_at", "-id"], name="deliveries_by_kind"
            ),
            models.Index(fields=["public_id"], name="deliveries_by_id"),
            models.Index(fields=["event_id"], name="deliveries_of_an_event"),
            # Few, so reading all deliveries to find them would cost more the more there are.
            models.Index(
                fields=["endpoint", "-created_at", "-id"],
                condition=~Q(status=DeliveryStatus.DELIVERED),
                name="deliveries_not_delivered",
            ),
        ]
        constraints = [
            MovesConstraint(arrows=DELIVERY_LIFECYCLE.arrows(), name="delivery_moves_by_the_table")
        ]

    def __str__(self) -> str:
        return f"{self.public_id} {self.status}"


class QueuedDelivery(models.Model):
    """A pending delivery. These rows are the queue; notifications only wake the dispatcher.

    The dispatcher leases a row (`lease_until`, `lease`) while sending, and deletes it when the
    delivery ends. Only one delivery per `resource_id` and endpoint is in progress at a time.
    """

    public_id = models.CharField(max_length=40, unique=True)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, db_index=False)
    event_id = models.CharField(max_length=40)
    event_created_at = models.DateTimeField()
    resource_id = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=DeliveryKind)
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    # The receiver's `Retry-After`; a recovery does not bring the delivery forward past it.
    not_before = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    lease = models.UUIDField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["endpoint", "due_at", "id"],
                condition=Q(lease_until=None),
                name="queue_in_order_of_due",
            ),
            models.Index(
                fields=["lease_until"],
                condition=Q(lease_until__isnull=False),
                name="queue_that_is_leased",
            ),
            models.Index(
                fields=["endpoint"],
                condition=Q(kind=DeliveryKind.PING, lease_until=None),
                name="pings_that_wait",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "resource_id"],
                condition=Q(lease_until__isnull=False),
                name="one_under_way_of_a_resource",
            ),
            models.CheckConstraint(
                condition=Q(lease_until=None, lease=None)
                | Q(lease_until__isnull=False, lease__isnull=False),
                name="a_lease_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} due {self.due_at}"


class DeliveryAttempt(models.Model):
    """One attempt at a delivery. Partitioned by the day of `at`.

    Kept for `WEBHOOK_LIVE_ATTEMPT_DAYS` or `WEBHOOK_SANDBOX_ATTEMPT_DAYS`.

    Durations are in microseconds, from the start until the name was resolved, the connection was
    open, the first byte arrived, and the end. `excerpt` is at most 4 KiB of the response and is
    never rendered.
    """

    delivery_id = models.CharField(max_length=40)
    environment = models.CharField(max_length=10, choices=Environment)
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    status = models.SmallIntegerField(null=True)
    error = models.CharField(max_length=120, blank=True)
    signed_with = models.CharField(max_length=10, default="current")
    dns_us = models.IntegerField(null=True)
    connect_us = models.IntegerField(null=True)
    first_byte_us = models.IntegerField(null=True)
    total_us = models.IntegerField(null=True)
    excerpt = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["delivery_id"], name="attempts_of_a_delivery")]

    def __str__(self) -> str:
        return f"{self.delivery_id} #{self.number}"

    @property
    def went_well(self) -> bool:
        return self.status is not None and self.status // 100 == 2  # 2xx

    @property
    def milliseconds(self) -> list[float | None]:
        """Return the times of name lookup, connection, first byte and end."""
        taken = (self.dns_us, self.connect_us, self.first_byte_us, self.total_us)
        return [None if one is None else one / 1000 for one in taken]


class DeliveryLane(models.Model):
    """State of sending to one endpoint: fairness, concurrency window and circuit breaker.

    Only the dispatcher writes it, except for the reset when an endpoint is resumed. `window` is the
    maximum number of concurrent deliveries, `served_at` when it was last served, and `paced_until`
    the time until which its rate is used up. `halted` is the reason if nothing is sent any more; a
    job then pauses the endpoint within a minute, which is what the business sees.
    """

    # Values of a resumed endpoint.
    ANEW: ClassVar[dict[str, Any]] = {
        "breaker_step": 0,
        "breaker_until": None,
        "breaker_failures": 0,
        "consecutive_failures": 0,
        "failing_since": None,
        "halted": "",
    }

    endpoint = models.OneToOneField(
        WebhookEndpoint, on_delete=models.PROTECT, primary_key=True, related_name="lane"
    )
    served_at = models.DateTimeField()
    in_flight = models.IntegerField(default=0)
    window = models.SmallIntegerField(default=4)
    window_successes = models.SmallIntegerField(default=0)
    paced_until = models.DateTimeField(null=True)
    breaker_step = models.SmallIntegerField(default=0)
    breaker_until = models.DateTimeField(null=True)
    # Consecutive failures that mean that the receiver is down: no answer, 5xx, 429.
    breaker_failures = models.IntegerField(default=0)
    # When the receiver recovered; its later retries are then brought forward.
    recovered_at = models.DateTimeField(null=True)
    halted = models.CharField(max_length=20, choices=PausedReason, blank=True)
    consecutive_failures = models.IntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    last_success_at = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=120, blank=True)
    # Consecutive deliveries accepted only with the previous secret, or with the new one.
    previous_accepted = models.IntegerField(default=0)
    current_accepted = models.IntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["served_at"], name="lanes_by_turn"),
            models.Index(
                fields=["recovered_at"],
                condition=Q(recovered_at__isnull=False),
                name="lanes_that_recovered",
            ),
            models.Index(fields=["halted"], condition=~Q(halted=""), name="lanes_that_are_halted"),
        ]

    def __str__(self) -> str:
        return f"Lane of {self.endpoint_id}"

    @property
    def breaker_state(self) -> str:
        """`closed` if deliveries are sent, `open` if not, `half_open` if one may try."""
        if self.breaker_until is None:
            return "closed"
        return "open" if self.breaker_until > clock.now() else "half_open"


class DeliveryDay(models.Model):
    """Number of successful and failed attempts at one endpoint on one day (UTC)."""

    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="days")
    day = models.DateField()
    succeeded = models.IntegerField(default=0)
    failed = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "day"], name="one_count_of_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} on {self.day}"


class DispatcherHeartbeat(models.Model):
    """The heartbeat of a dispatcher, sent every few seconds, with its counters."""

    process = models.UUIDField(primary_key=True)
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    sent = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"Dispatcher since {self.started_at}"
