"""Reserve stock."""

from django.db import transaction

from api.payments import scoping
from api.payments.models import InventoryItem
from api.providers.interface import StockConflict
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
