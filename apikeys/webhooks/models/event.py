"""PublicEvent: what a business is told of, byte for byte. EventSequence: how many of one object."""

from django.db import models

from apikeys.lifecycle import Environment
from console.accounts.models import Business


class PublicEvent(models.Model):
    """One event of one environment, written with the change that it tells of.

    `body` is built once and sent as it stands on every attempt, to every endpoint, on every replay.
    The table is kept by days (`console.core.day_partitions`): whatever asks it names a time.
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
            models.Index(fields=["public_id"], name="events_by_id"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class EventSequence(models.Model):
    """The number of the newest event of one object in one environment: from 1, without a gap."""

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
