"""InventoryItem: something that a business keeps in stock."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.sandbox.models import OwnedObject
from api.sandbox.models.owned_object import known_environment, reading_order
from console.core import ids


class InventoryItem(OwnedObject):
    """`available` can be reserved; `reserved` is promised to somebody, and is still in stock."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("itm"))
    name = models.CharField(max_length=140)
    sku = models.CharField(max_length=140, blank=True)
    available = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)

    class Meta:
        indexes = [reading_order("stock")]
        constraints = [
            known_environment("inventory_item"),
            models.CheckConstraint(
                condition=Q(available__gte=0, reserved__gte=0), name="stock_is_never_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def audit_details(self) -> dict[str, Any]:
        return {"available": self.available, "reserved": self.reserved}
