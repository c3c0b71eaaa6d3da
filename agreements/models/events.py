"""PackEvent: one link of a pack's own chain, whose head goes into the sealed manifest."""

from django.db import models

from agreements.models.pack import Pack
from console.core.frozen import NeverChanges


class PackEvent(models.Model):
    """What happened to a pack, chained under the pack's lock. Never changed."""

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    body = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pack", "seq"], name="a_packs_events_have_no_fork"),
            NeverChanges(name="pack_events_never_change"),
        ]

    def __str__(self) -> str:
        return f"{self.pack} event {self.seq}"
