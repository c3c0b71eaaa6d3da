"""ReplayJob: a range of deliveries to send to one endpoint again."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apikeys.webhooks.lifecycle import REPLAY_LIFECYCLE, ReplayStatus
from apikeys.webhooks.models.endpoint import WebhookEndpoint
from console.core import ids
from console.core.moves_constraint import MovesConstraint


class ReplayJob(models.Model):
    """Resends deliveries created from `since` to `until`, one page at a time.

    `place_at` and `place_id` name the last delivery of the last page, so an interrupted job
    continues there. `counted` is the number of deliveries when the job was requested, `queued` the
    number queued so far.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("whr"))
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="replays")
    status = models.CharField(max_length=20, choices=ReplayStatus, default=ReplayStatus.RUNNING)
    since = models.DateTimeField()
    until = models.DateTimeField()
    events = ArrayField(models.CharField(max_length=60), default=list)
    statuses = ArrayField(models.CharField(max_length=20), default=list)
    counted = models.IntegerField(default=0)
    queued = models.IntegerField(default=0)
    place_at = models.DateTimeField(null=True)
    place_id = models.BigIntegerField(null=True)
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"],
                condition=Q(status=ReplayStatus.RUNNING),
                name="one_replay_of_an_endpoint_at_a_time",
            ),
            MovesConstraint(arrows=REPLAY_LIFECYCLE.arrows(), name="replay_moves_by_the_table"),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} of {self.endpoint_id}"

    @property
    def is_dry_run(self) -> bool:
        """Whether this was a dry run, which is not saved."""
        return self.pk is None
