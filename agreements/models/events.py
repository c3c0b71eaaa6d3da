"""PackEvent: an entry in a pack's event chain, whose head goes into the sealed manifest."""

from django.db import models

from agreements.models.pack import Pack
from console.core.frozen import NeverChanges


class PackEvent(models.Model):
    """An immutable pack event, chained while the pack is locked."""

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
