"""GET, POST /inventory, GET, PATCH /inventory/{id}, POST /inventory/{id}/reserve: stock."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText, StrictWhole
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import inventory
from api.sandbox.models import InventoryItem
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import inventory as examples
from api.v1.resource import Resource
from api.v1.rows import reading_rows
from api.v1.shared_fields import MetadataField

_PRODUCT, _SCOPE = "inventory", "inventory:write"
_MOST = 1_000_000_000


class ItemBody(StrictSerializer):
    """POST /inventory: what is in stock."""

    name = StrictText(max_length=140, help_text="What it is.")
    sku = StrictText(
        max_length=140, required=False, help_text="What you call it in your own system."
    )
    available = StrictWhole(
        min_value=0, max_value=_MOST, required=False, help_text="How many can be reserved."
    )
    metadata = MetadataField(required=False)


class ItemChange(ItemBody):
    """PATCH /inventory/{id}: the members that change."""

    name = StrictText(max_length=140, required=False, help_text="What it is.")
    reserved = StrictWhole(
        min_value=0,
        max_value=_MOST,
        required=False,
        help_text="How many are still reserved, once some have left or were given up.",
    )


class ReservationBody(StrictSerializer):
    """POST /inventory/{id}/reserve: how many."""

    quantity = StrictWhole(min_value=1, max_value=_MOST, help_text="How many to reserve.")


class StockItem(Described):
    """An item in stock."""

    id = serializers.CharField(help_text="The id of the item.")
    object = serializers.ChoiceField(choices=["inventory_item"], help_text="What this is.")
    name = serializers.CharField(help_text="What it is.")
    sku = serializers.CharField(
        allow_null=True, help_text="What you call it in your own system, where you said so."
    )
    available = serializers.IntegerField(help_text="How many can be reserved.")
    reserved = serializers.IntegerField(help_text="How many are reserved, and still in stock.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you created it.")


RESOURCE = Resource(InventoryItem, StockItem, provided=False)


def create(call: Call) -> ApiAnswer:
    """Put an item into the inventory."""
    item = InventoryItem(business=business_of(call), environment=call.environment, **call.body)
    return RESOURCE.answer(inventory.create(item, by=key_of(call)))


def change(call: Call) -> ApiAnswer:
    """Change the members of an item that are given."""
    item = RESOURCE.find(call, call.names["id"])
    return RESOURCE.answer(inventory.change(item, call.body, by=key_of(call)))


def reserve(call: Call) -> ApiAnswer:
    """Reserve some of what is available."""
    item = RESOURCE.find(call, call.names["id"])
    return RESOURCE.answer(inventory.reserve(item, call.body["quantity"], by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/inventory",
        _PRODUCT,
        "inventory:read",
        ("items in stock", "item in stock"),
        examples.ITEM,
    ),
    Operation(
        "inventory.create",
        "POST",
        "/inventory",
        product=_PRODUCT,
        scope=_SCOPE,
        function=create,
        body=ItemBody,
        answer=answer_of(StockItem),
        example=examples.NEW_ITEM,
        status=201,
    ),
    Operation(
        "inventory.change",
        "PATCH",
        "/inventory/{id}",
        product=_PRODUCT,
        scope=_SCOPE,
        function=change,
        body=ItemChange,
        answer=answer_of(StockItem),
        example=examples.CHANGED_ITEM,
    ),
    Operation(
        "inventory.reserve",
        "POST",
        "/inventory/{id}/reserve",
        product=_PRODUCT,
        scope=_SCOPE,
        function=reserve,
        body=ReservationBody,
        answer=answer_of(StockItem),
        example=examples.RESERVED_ITEM,
        codes=("STOCK_CONFLICT",),
    ),
]
