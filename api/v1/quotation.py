"""POST /currencies/quotation: the value of an amount in another currency, as JSON numbers."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer
from api.payments import quotes
from api.problems import Fault, invalid
from api.renderers import ResultRenderer, succeeded
from api.serializers import IdField, ResourceSerializer, SentCurrencyField, result_of
from api.v1.examples import second_family as examples
from api.v1.numbers import AmountNumberField, is_exact, money_of_number
from api.v1.shared_fields import CurrencyField, require_exchangeable, require_holdable
from api.viewsets import ResourceViewSet, operation


class QuotationCreateSerializer(StrictSerializer):
    """POST /currencies/quotation: the amount and the currencies."""

    # `from` is a keyword and cannot be an attribute.
    vars()["from"] = CurrencyField(help_text="The currency or asset that you sell.")
    to = CurrencyField(help_text="The currency or asset that you want to buy.")
    amount = AmountNumberField(
        help_text=(
            "The amount of `from` that you sell, at least 1, with no more decimals than the"
            " currency has."
        )
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        money = money_of_number(attrs["amount"], attrs["from"])
        return attrs | {"money": require_exchangeable(money)}


class QuotationSerializer(ResourceSerializer):
    """The value of an amount in another currency."""

    vars()["from"] = SentCurrencyField(
        source="from_currency", help_text="The currency or asset that you sell."
    )
    to = SentCurrencyField(
        source="to_currency", help_text="The currency or asset that you want to buy."
    )
    fromAmount = serializers.FloatField(  # noqa: N815
        source="money.decimal", help_text="The amount that you sell."
    )
    toAmount = serializers.FloatField(  # noqa: N815
        source="proceeds.decimal",
        help_text="The amount that you buy: `fromAmount` times `rate`, rounded down.",
    )
    rate = serializers.FloatField(help_text="The value of one unit of `from` in `to`.")
    value = serializers.FloatField(source="proceeds.decimal", help_text="The same as `toAmount`.")
    fromAmountInUSD = serializers.FloatField(  # noqa: N815
        source="dollars.decimal", help_text="The amount that you sell, in US dollars."
    )
    fromAmountInUSDRate = serializers.FloatField(  # noqa: N815
        source="dollar_rate", help_text="The value of one unit of `from` in US dollars."
    )
    id = IdField(help_text="The ID of the quote. A conversion or a transfer can use it once.")
    expiration = serializers.IntegerField(
        source="LIFETIME.seconds",
        help_text="How long you can use it, in seconds from `meta.timestamp`.",
    )


class QuotationViewSet(ResourceViewSet):
    """The value of an amount in another currency, as JSON numbers."""

    product = "conversions"
    resource = "quotation"
    renderer_classes = (ResultRenderer,)
    serializer_class = QuotationSerializer

    @operation(
        body=QuotationCreateSerializer,
        answer=result_of(QuotationSerializer, many=True),
        scope="quotes:read",
        kind="quotes",
        example=examples.NEW_QUOTATION,
    )
    def create(self, request: Request) -> Response:
        """Get the value of an amount in another currency, with JSON numbers."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        money, to = body["money"], body["to"]
        quote = quotes.price(self.business, self.environment, money, to)
        require_holdable(quote.proceeds)
        if not all(map(is_exact, (quote.proceeds, quote.dollars))):
            said = "Send a smaller amount. Its value has more digits than a number can have."
            raise invalid(Fault("/amount", "out_of_range", said))
        quotes.create(quote, by=self.actor)
        shown = QuotationSerializer([quote], many=True).data
        return self.respond(succeeded("Operation successful", shown, at=quote.created_at))
