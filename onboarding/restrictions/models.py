"""RestrictedListVersion: the restricted list after one change that somebody proposed."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from console.core import ids
from console.core.frozen import NeverChanges


class ListChange(models.TextChoices):
    """What a version changes."""

    ADD = "add", gettext_lazy("Added")
    CHANGE = "change", gettext_lazy("Changed")
    END = "end", gettext_lazy("Ended")


class RestrictedListVersion(models.Model):
    """A whole list, with the change that made it: the entry `code`, and why.

    `publishing.Publication` records who proposed it, and who else put it in use and when.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("rlv"))
    version = models.CharField(max_length=40, unique=True)
    document = models.JSONField()
    change = models.CharField(max_length=10, choices=ListChange)
    code = models.CharField(max_length=6)
    reason = models.TextField()

    class Meta:
        constraints = [
            NeverChanges(name="restricted_list_versions_never_change"),
            models.CheckConstraint(
                condition=Q(change__in=ListChange.values) & ~Q(reason=""),
                name="a_change_of_the_restricted_list_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} in {self.version}"
