"""The outbox and the schedule.

Event (an outbox row), EventDelivery (a listener's work on it), NightlyRun and JobRun (when a job
last started and finished).
"""

from typing import Self

from django.db import models
from django.db.models import Q

from console.core import ids


class Event(models.Model):
    """Something that happened, written in the transaction of the change it describes."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("evt"))
    kind = models.CharField(max_length=60)
    subject_id = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    happened_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["subject_id", "happened_at"], name="events_by_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class EventDeliveryQuerySet(models.QuerySet["EventDelivery"]):
    def waiting(self) -> Self:
        return self.filter(done_at=None)


class EventDelivery(models.Model):
    """What one listener has done, or must still do, about one event.

    It is written with the event, so a lost message or a killed worker loses nothing: the sweep
    finds unfinished rows. A worker claims it with an advisory lock, which ends when the worker
    does.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="deliveries")
    listener = models.CharField(max_length=80)
    attempts = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField()
    last_error = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True)

    objects = EventDeliveryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "listener"], name="a_listener_hears_once"),
        ]
        indexes = [
            models.Index(
                fields=["not_before"], condition=Q(done_at=None), name="deliveries_waiting"
            ),
            models.Index(
                fields=["event", "id"], condition=Q(done_at=None), name="deliveries_by_event"
            ),
            models.Index(
                fields=["id"],
                condition=Q(done_at=None) & ~Q(last_error=""),
                name="deliveries_that_failed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.listener} on {self.event_id}"


class NightlyRun(models.Model):
    """When a nightly job last finished, and since when it has been scheduled."""

    name = models.CharField(max_length=80, primary_key=True)
    since = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}, last done {self.ended_at or 'never'}"


class JobRun(models.Model):
    """When the schedule last started a job, by the database's clock, and when it last finished.

    Several schedulers may run, and only the first of their ticks counts. NightlyRun says when a
    nightly job finished.
    """

    name = models.CharField(max_length=80, primary_key=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}, started {self.started_at}, last done {self.ended_at}"
