"""Reserve stock."""

from django.db import transaction

from api.sandbox import scoping
from api.sandbox.models import InventoryItem
from api.sandbox.provider import StockConflict
from console.accounts.actors import Actor


@transaction.atomic
def reserve(item: InventoryItem, quantity: int, *, by: Actor) -> InventoryItem:
    """Reserve `quantity` of the available items, or raise StockConflict."""
    item = scoping.locked(item)
    if quantity > item.available:
        raise StockConflict(f"Only {item.available} are available.")
    scoping.changed(
        item,
        {"available": item.available - quantity, "reserved": item.reserved + quantity},
    )
    scoping.announce(item, "inventory_item.reserved", by=by)
    return item
