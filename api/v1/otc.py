"""GET, POST /otc-orders, GET /otc-orders/{id}: buy or sell an asset for a currency."""

from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice
from api.payments import exchange_rates
from api.payments.currencies import held_currencies
from api.payments.disbursements import OTC_ORDERS
from api.payments.models import OtcOrder, OtcSide
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentMetadataField,
)
from api.v1 import disbursed, filters
from api.v1.examples import assets as examples
from api.v1.shared_fields import (
    AmountField,
    AssetMoneySerializer,
    MetadataField,
    money_of,
    require_exchangeable,
    require_holdable,
)
from api.viewsets import ListMixin, RetrieveMixin
from console.core.money import ASSETS, CURRENCIES

_CURRENCIES = [code for code in CURRENCIES if code not in ASSETS]


class OtcOrderCreateSerializer(AssetMoneySerializer):
    """POST /otc-orders: the asset to buy or sell, and the currency."""

    side = StrictChoice(choices=OtcSide.values, help_text="Whether you buy or sell the asset.")
    currency = StrictChoice(choices=_CURRENCIES, help_text="The currency that you pay or receive.")
    amount = AmountField(
        help_text="The amount of the asset, at least 1, with no more than six decimals."
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": require_exchangeable(money_of(attrs["amount"], attrs["asset"]))}


class OtcOrderSerializer(ResourceSerializer):
    """An OTC order. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the order.")
    object = ObjectField("otc_order")
    status = disbursed.status(
        help_text="Whether the amount that you pay is reserved, exchanged or returned."
    )
    side = serializers.ChoiceField(
        choices=OtcSide.values, help_text="Whether you buy or sell the asset."
    )
    asset = serializers.ChoiceField(choices=list(ASSETS), help_text="The asset.")
    currency = serializers.ChoiceField(
        choices=_CURRENCIES, help_text="The currency that you pay or receive."
    )
    amount = disbursed.amount(of="asset", help_text="The amount of the asset, as a decimal string.")
    price = SentAmountField(
        "currency", help_text="The price of one unit of the asset, in the currency."
    )
    total = SentAmountField(
        help_text="The total price, in the currency: rounded up if you buy, down if you sell."
    )
    fee = disbursed.fee(help_text="The fee in addition to the total.")
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at(help_text="When both balances were updated, or null.")


class OtcOrderViewSet(ListMixin, RetrieveMixin):
    """Orders to buy or sell an asset for a currency."""

    product = "otc"
    resource = "otc_orders"
    queryset = OtcOrder.objects.all()
    serializer_class = OtcOrderSerializer
    query_class = filters.of(OtcOrder, OtcOrderSerializer, "status", "asset", "currency")
    settle_due = OTC_ORDERS.settle_due
    words = "OTC orders", "OTC order"
    example = examples.OTC_ORDER

    @disbursed.operation(body=OtcOrderCreateSerializer, example=examples.NEW_OTC_ORDER)
    def create(self, request: Request) -> Response:
        """Buy or sell an asset at the current price."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        money = body["money"]
        held = held_currencies(self.business.pk)
        rounding = ROUND_CEILING if body["side"] == OtcSide.BUY else ROUND_FLOOR
        price = exchange_rates.current().of_pair(
            money.currency, body["currency"], held, rounding, fields=("asset", "currency")
        )
        total = price.convert(money, rounding)
        require_holdable(total)
        order = self.new(
            OtcOrder,
            body,
            amount=money.minor,
            price=price.text,
            total=total.minor,
        )
        return self.answer(OTC_ORDERS.create(order, tries=self.claim.tries, by=self.actor))
