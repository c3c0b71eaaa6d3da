"""Good calls of the services beside payments, as the documentation shows them."""

from api.gateway.operations import OperationExample
from api.v1.examples import CREATED, CUSTOMER, making, reading

IDENTITY_VERIFICATION = {
    "id": "idv_01k2z4m8k1c3j5n7q9t1w3y5z7",
    "object": "identity_verification",
    "type": "passport",
    "number_ends_with": "456",
    "country": "NG",
    "customer_id": CUSTOMER["id"],
    "status": "completed",
    "result": "confirmed",
    "metadata": {"check": "first"},
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_IDENTITY_VERIFICATION = making(
    IDENTITY_VERIFICATION,
    {
        "type": "passport",
        "number": "A00123456",
        "country": "NG",
        "customer_id": CUSTOMER["id"],
        "metadata": {"check": "first"},
    },
)
_ITEM_BODY = {
    "name": "Kettle, 1.7 l",
    "sku": "KET-17",
    "available": 40,
    "metadata": {"shelf": "B4"},
}
ITEM = {
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
