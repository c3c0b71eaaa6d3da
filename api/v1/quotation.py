"""POST /currencies/quotation: what an amount comes to in another currency, in numbers."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.envelopes import SECOND_FAMILY, succeeded
from api.fields import StrictSerializer
from api.problems import Fault, invalid
from api.sandbox import quotes
from api.serializers import IdField, ResourceSerializer, SentCurrencyField, result_of
from api.v1.examples import second_family as examples
from api.v1.numbers import AmountNumberField, is_exact, money_of_number
from api.v1.shared_fields import CurrencyField, is_holdable
from api.viewsets import ResourceViewSet, operation


class QuotationBody(StrictSerializer):
    """POST /currencies/quotation: how much of one currency is to become another."""

    # A member of this name cannot be written as an attribute.
    vars()["from"] = CurrencyField(help_text="The currency or asset that is given.")
    to = CurrencyField(help_text="The currency or asset that is wanted.")
    amount = AmountNumberField(
        help_text="How much of `from` is given, with at most the decimals of its currency."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of_number(attrs["amount"], attrs["from"])}


class QuotationItem(ResourceSerializer):
    """What an amount comes to in another currency."""

    vars()["from"] = SentCurrencyField(
        source="from_currency", help_text="The currency or asset that is given."
    )
    to = SentCurrencyField(source="to_currency", help_text="The currency or asset that is wanted.")
    fromAmount = serializers.FloatField(  # noqa: N815
        source="money.decimal", help_text="How much is given."
    )
    toAmount = serializers.FloatField(  # noqa: N815
        source="specified_proceeds.decimal",
        help_text="What it comes to: `fromAmount` times `rate`, a half to the even neighbour. A"
        " conversion or a transfer by this quote brings it rounded down.",
    )
    rate = serializers.FloatField(help_text="What one unit of `from` is worth in `to`.")
    value = serializers.FloatField(
        source="specified_proceeds.decimal", help_text="The same as `toAmount`."
    )
    fromAmountInUSD = serializers.FloatField(  # noqa: N815
        source="dollars.decimal", help_text="What is given, in US dollars."
    )
    fromAmountInUSDRate = serializers.FloatField(  # noqa: N815
        source="dollar_rate", help_text="What one unit of `from` is worth in US dollars."
    )
    id = IdField(help_text="The id of the quote, which a conversion or a transfer can use once.")
    expiration = serializers.IntegerField(
        source="LIFETIME.seconds",
        help_text="The seconds from `meta.timestamp` for which it can be used.",
    )


class Quotations(ResourceViewSet):
    """What an amount comes to in another currency, in numbers."""

    product = "conversions"
    resource = "quotation"
    envelope = SECOND_FAMILY
    serializer_class = QuotationItem

    @operation(
        body=QuotationBody,
        answer=result_of(QuotationItem, many=True),
        scope="quotes:read",
        kind="quotes",
        example=examples.NEW_QUOTATION,
    )
    def create(self, request: Request) -> Response:
        """Ask what an amount comes to in another currency, in numbers."""
        money, to = self.body["money"], self.body["to"]
        quote = quotes.price(self.business, self.environment, money, to)
        told = (quote.specified_proceeds, quote.dollars)
        if not (is_holdable(quote.proceeds) and all(map(is_exact, told))):
            said = "Send an amount that comes to something a number can say in the other currency."
            raise invalid(Fault("/amount", "out_of_range", said))
        quotes.create(quote, by=self.actor)
        shown = self.get_serializer([quote], many=True).data
        return self.respond(succeeded("Operation successful", shown, at=quote.created_at))
