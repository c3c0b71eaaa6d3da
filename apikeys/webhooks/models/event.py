"""PublicEvent: an event, byte for byte. EventSequence: the number of events of one object."""

from django.db import models

from apikeys.lifecycle import Environment
from console.accounts.models import Business


class PublicEvent(models.Model):
    """One event of one environment, created in the transaction of the change it describes.

    `body` is built once and sent unchanged on every attempt, to every endpoint and on every replay.
    The table is partitioned by day (`console.core.day_partitions`), so queries must filter by time.
    """

    public_id = models.CharField(max_length=40)
    business = models.ForeignKey(Business, on_delete=models.DO_NOTHING, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    kind = models.CharField(max_length=60)
    resource_id = models.CharField(max_length=40)
    # Test events have none.
    sequence = models.PositiveIntegerField(null=True)
    body = models.BinaryField()
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["business", "environment", "-created_at", "-id"],
                name="events_in_reading_order",
            ),
            models.Index(
                fields=["business", "environment", "kind", "-created_at", "-id"],
                name="events_by_kind",
            ),
            models.Index(
                fields=["business", "environment", "resource_id", "-created_at", "-id"],
                name="events_by_resource",
            ),
            models.Index(fields=["public_id"], name="events_by_id"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class EventSequence(models.Model):
    """Number of the newest event of one object in one environment, from 1 without gaps."""

    resource_id = models.CharField(max_length=60)
    environment = models.CharField(max_length=10, choices=Environment)
    newest = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["resource_id", "environment"], name="one_sequence_of_an_object"
            )
        ]

    def __str__(self) -> str:
        return f"{self.resource_id}: {self.newest}"
