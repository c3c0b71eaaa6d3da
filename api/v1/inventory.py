"""GET, POST /inventory, GET, PATCH /inventory/{id}, POST /inventory/{id}/reserve: stock."""

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText, StrictWhole
from api.payments import inventory, scoping
from api.payments.models import InventoryItem
from api.serializers import IdField, ObjectField, ResourceSerializer, SentMetadataField
from api.v1 import filters
from api.v1.examples import inventory as examples
from api.v1.shared_fields import MetadataField
from api.viewsets import ListMixin, RetrieveMixin, operation

_MOST = 1_000_000_000


class InventoryItemCreateSerializer(StrictSerializer):
    """POST /inventory: the item."""

    name = StrictText(max_length=140, help_text="The name of the item.")
    sku = StrictText(
        max_length=140, required=False, allow_null=True, help_text="Your own reference."
    )
    available = StrictWhole(
        min_value=0,
        max_value=_MOST,
        required=False,
        help_text="The number of items that you can reserve.",
    )
    metadata = MetadataField(required=False)


class InventoryItemUpdateSerializer(InventoryItemCreateSerializer):
    """PATCH /inventory/{id}: the fields to change. Null clears a field."""

    null_clears = True
    name = StrictText(max_length=140, required=False, help_text="The name of the item.")
    reserved = StrictWhole(
        min_value=0,
        max_value=_MOST,
        required=False,
        help_text="The number of items still reserved after shipping or cancelling some.",
    )


class InventoryReservationSerializer(StrictSerializer):
    """POST /inventory/{id}/reserve: the number of items."""

    quantity = StrictWhole(
        min_value=1, max_value=_MOST, help_text="The number of items to reserve."
    )


class InventoryItemSerializer(ResourceSerializer):
    """An item in stock."""

    id = IdField(help_text="The id of the item.")
    object = ObjectField("inventory_item")
    name = serializers.CharField(help_text="The name of the item.")
    sku = serializers.CharField(allow_null=True, help_text="Your own reference, if you sent one.")
    available = serializers.IntegerField(help_text="The number of items that you can reserve.")
    reserved = serializers.IntegerField(
        help_text="The number of items that are reserved and still in stock."
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class InventoryItemViewSet(ListMixin, RetrieveMixin):
    """A business's stock."""

    product = resource = "inventory"
    needs_provider = False
    queryset = InventoryItem.objects.all()
    serializer_class = InventoryItemSerializer
    query_class = filters.of(InventoryItem, InventoryItemSerializer, "sku")
    words = "items in stock", "item in stock"
    example = examples.ITEM

    @operation(body=InventoryItemCreateSerializer, status=201, example=examples.NEW_ITEM)
    def create(self, request: Request) -> Response:
        """Add an item to the inventory."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        item = self.new(InventoryItem, serializer.validated_data)
        return self.answer(scoping.create(item, "inventory_item.created", by=self.actor))

    @operation(body=InventoryItemUpdateSerializer, example=examples.CHANGED_ITEM)
    def partial_update(self, request: Request) -> Response:
        """Change fields of an item."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        item, body = self.get_object(), serializer.validated_data
        return self.answer(scoping.change(item, body, "inventory_item.changed", by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(
        body=InventoryReservationSerializer,
        codes=["STOCK_CONFLICT"],
        example=examples.RESERVED_ITEM,
    )
    def reserve(self, request: Request) -> Response:
        """Reserve available items."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        quantity = serializer.validated_data["quantity"]
        return self.answer(inventory.reserve(self.get_object(), quantity, by=self.actor))
