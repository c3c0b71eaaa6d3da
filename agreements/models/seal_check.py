"""SealCheck: whether a blank page could be sealed when that was last tried."""

from django.db import models
from django.db.models import Q


class SealCheck(models.Model):
    """The last try, of whichever process: one row. `problem` is empty when it worked."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
    problem = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="the_last_seal_check_is_one_row")
        ]

    def __str__(self) -> str:
        return self.problem or "Sealing works."
