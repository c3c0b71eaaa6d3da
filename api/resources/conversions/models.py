"""Conversion: money of one balance that becomes money of another."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.sandbox.models import Disbursement, EntryType, Quote, disbursement
from api.sandbox.models.owned_object import MinorUnits
from console.core import ids
from console.core.money import Money


class Conversion(Disbursement):
    """A disbursement of what its quote is of, which brings in what that comes to."""

    TYPE = EntryType.CONVERSION
    FAILURE = "rejected_by_exchange"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("cnv"))
    # Named by its public id, so that reading a conversion joins nothing.
    quote = models.OneToOneField(Quote, on_delete=models.PROTECT, to_field="public_id")
    to_currency = models.CharField(max_length=10)
    to_amount = MinorUnits(of="to_currency")
    rate = models.CharField(max_length=30)

    class Meta:
        indexes = disbursement.indexes("conversion")
        constraints = [
            *disbursement.constraints("conversion"),
            models.CheckConstraint(
                condition=Q(to_amount__gt=0), name="a_conversion_brings_something"
            ),
        ]

    @property
    def proceeds(self) -> Money:
        return Money(self.to_amount, self.to_currency)

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"comes_to": str(self.proceeds), "quote": self.quote_id}
