"""Example calls of the inventory."""

from typing import Any

from api.examples import CREATED, making, reading
from api.operations import OperationExample

_ITEM_BODY = {
    "name": "Kettle, 1.7 l",
    "sku": "KET-17",
    "available": 40,
    "metadata": {"shelf": "B4"},
}
ITEM: dict[str, Any] = {
    "id": "itm_01k2z4m8m2d4k6p8r0v2x4z6b8",
    "object": "inventory_item",
    **_ITEM_BODY,
    "reserved": 0,
    **CREATED,
}
NEW_ITEM = making(ITEM, _ITEM_BODY)
CHANGED_ITEM = OperationExample(
    {**reading(ITEM).answer, "available": 60}, {"available": 60}, {"id": ITEM["id"]}
)
RESERVED_ITEM = OperationExample(
    {**reading(ITEM).answer, "available": 37, "reserved": 3}, {"quantity": 3}, {"id": ITEM["id"]}
)
