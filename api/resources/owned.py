"""What every object of the API has: whose it is, where, since when, and the client's own texts."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from console.accounts.models import Business


class OwnedObject(models.Model):
    """An object of one business in one environment. Each kind adds its `public_id`."""

    public_id: "models.CharField[str, str]"
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.public_id

    def audit_details(self) -> dict[str, Any]:
        """Return what the log says of it beside who, when and which."""
        return {}


def changed(row: OwnedObject, changes: Mapping[str, Any]) -> bool:
    """Save the members that differ from what they were, and tell whether any did."""
    differing = [name for name, value in changes.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, changes[name])
    if differing:
        row.save(update_fields=differing)
    return bool(differing)


def reading_order(words: str) -> models.Index:
    """Return the index that its list is read by."""
    return models.Index(
        fields=["business", "environment", "-created_at", "-id"], name=f"{words}_in_reading_order"
    )


def known_environment(word: str) -> models.CheckConstraint:
    """Return the constraint that holds the environment to those there are."""
    return models.CheckConstraint(
        condition=Q(environment__in=Environment.values), name=f"{word}_environment_is_known"
    )
