"""SharedValue (what all hosts must have in common) and PartReport (what a part says here)."""

from django.db import models
from django.db.models.functions import Now

from console.core.frozen import NeverChanges


class SharedValue(models.Model):
    """The check value of something that all hosts share, such as the key 2 of VAULT_KEYS.

    A check value of a key recognises the key and does not reveal it.
    """

    setting = models.CharField(max_length=30)
    number = models.PositiveIntegerField()
    value = models.CharField(max_length=64)
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["setting", "number"], name="a_value_is_shared_once"),
            NeverChanges(name="shared_values_never_change"),
        ]

    def __str__(self) -> str:
        return f"{self.setting} {self.number}"


class PartReport(models.Model):
    """What a part last reported: its version, check values and seal, and what is wrong.

    `clock_ahead` is how many seconds the host's clock is ahead of the database's.
    """

    host = models.CharField(max_length=255)
    part = models.CharField(max_length=10)
    state = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    clock_ahead = models.FloatField(default=0)
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["host", "part"], name="a_part_reports_in_one_row"),
        ]

    def __str__(self) -> str:
        return f"{self.part} on {self.host}"
