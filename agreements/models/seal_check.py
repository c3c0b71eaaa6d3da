"""SealCheck: the result of the last attempt to seal a blank page."""

from django.db import models
from django.db.models import Q


class SealCheck(models.Model):
    """The last attempt by any process, in a single row. `problem` is empty if it worked."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
    problem = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="the_last_seal_check_is_one_row")
        ]

    def __str__(self) -> str:
        return self.problem or "Sealing works."
