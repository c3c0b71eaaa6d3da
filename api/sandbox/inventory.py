"""Keep items in stock, change them, and reserve some of what is available."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from api.sandbox import owned
from api.sandbox.models import InventoryItem
from api.sandbox.provider import StockConflict
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def create(item: InventoryItem, *, by: Actor) -> InventoryItem:
    """Keep an item."""
    item.created_at = clock.now()
    item.save(force_insert=True)
    owned.announce(item, "inventory_item.created", by=by)
    return item


@transaction.atomic
def change(item: InventoryItem, changes: Mapping[str, Any], *, by: Actor) -> InventoryItem:
    """Change the members that are given. What is the same changes nothing."""
    item = owned.locked(item)
    if owned.changed(item, changes):
        owned.announce(item, "inventory_item.changed", by=by)
    return item


@transaction.atomic
def reserve(item: InventoryItem, quantity: int, *, by: Actor) -> InventoryItem:
    """Move `quantity` from what is available to what is reserved, or raise StockConflict."""
    item = owned.locked(item)
    if quantity > item.available:
        raise StockConflict(f"There are only {item.available}.")
    owned.changed(
        item,
        {"available": item.available - quantity, "reserved": item.reserved + quantity},
    )
    owned.announce(item, "inventory_item.reserved", by=by)
    return item
