"""Base of all API objects: business, environment, creation time and client metadata."""

from typing import Any

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.core.frozen import SetOnce
from console.core.money import Money


class MinorUnits(models.BigIntegerField):  # type: ignore[type-arg]  # not at run time
    """An amount in minor units of the currency in the column `of`; a decimal string in the API.

    It is never null: amounts that are not known yet use another kind of column.
    """

    def __init__(self, *args: Any, of: str = "currency", **more: Any) -> None:
        super().__init__(*args, **more)
        self.of = of

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"of": self.of}


class OwnedObject(models.Model):
    """An object of one business in one environment. Subclasses add `public_id`."""

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
        """Return further details for audit entries."""
        return {}


class MoneyObject(OwnedObject):
    """An object of an amount in minor units of its currency."""

    amount = MinorUnits()
    currency = models.CharField(max_length=10)

    class Meta:
        abstract = True

    @property
    def money(self) -> Money:
        return Money(self.amount, self.currency)

    def audit_details(self) -> dict[str, Any]:
        return {"amount": self.money.decimal(), "currency": self.money.currency}


def reading_order(words: str) -> models.Index:
    """Return the index for listing objects."""
    return models.Index(
        fields=["business", "environment", "-created_at", "-id"], name=f"{words}_in_reading_order"
    )


def listed_by(words: str, *columns: str) -> list[models.Index]:
    """Return an index for listing objects by each of these columns, for `api.v1.filters`."""
    return [
        models.Index(
            fields=["business", "environment", column, "-created_at", "-id"],
            name=f"{words}_by_{column}"[:30],
        )
        for column in columns
    ]


def kept(word: str, *columns: str) -> SetOnce:
    """Return the constraint that a row keeps its identity and these columns, and is not deleted."""
    named = ("id", "public_id", "business", "environment", "created_at", *columns)
    return SetOnce(fields=named, name=f"{word}_keeps_what_it_says")


def known_environment(word: str) -> models.CheckConstraint:
    """Return the constraint that allows only known environments."""
    return models.CheckConstraint(
        condition=Q(environment__in=Environment.values), name=f"{word}_environment_is_known"
    )
