"""POST /quotes, GET /quotes/{id}: what an amount comes to in another currency, bound for a minute.

Its members are those of the specification's quote, with decimal texts in the place of numbers.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer
from api.problems import Fault, invalid
from api.sandbox import quotes
from api.sandbox.models import Quote
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1.examples import exchange as examples
from api.v1.shared_fields import AmountField, CurrencyField, exchangeable_money_of, is_holdable
from api.viewsets import RetrieveMixin, operation


class QuoteBody(StrictSerializer):
    """POST /quotes: how much of one currency is to become another."""

    # A member of this name cannot be written as an attribute.
    vars()["from"] = CurrencyField(help_text="The currency or asset that is given.")
    to = CurrencyField(help_text="The currency or asset that is wanted.")
    amount = AmountField(
        help_text="How much is given, at least 1, with at most the decimals of its currency. In the"
        " sandbox it chooses what becomes of the conversion."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": exchangeable_money_of(attrs["amount"], attrs["from"])}


class QuoteItem(ResourceSerializer):
    """What an amount comes to in another currency. It can be used once, before it expires."""

    id = IdField(help_text="The id of the quote.")
    object = ObjectField("quote")
    vars()["from"] = SentCurrencyField(
        source="from_currency", help_text="The currency or asset that is given."
    )
    to = SentCurrencyField(source="to_currency", help_text="The currency or asset that is wanted.")
    fromAmount = SentAmountField(  # noqa: N815
        "from", source="from_amount", help_text="How much is given, as a decimal text."
    )
    toAmount = SentAmountField(  # noqa: N815
        "to",
        source="to_amount",
        help_text="What it comes to: `fromAmount` times `rate`, rounded down.",
    )
    rate = serializers.CharField(help_text="What one unit of `from` is worth in `to`.")
    value = SentAmountField("to", source="to_amount", help_text="The same as `toAmount`.")
    fromAmountInUSD = SentAmountField(  # noqa: N815
        "", source="dollars", help_text="What is given, in US dollars."
    )
    fromAmountInUSDRate = serializers.CharField(  # noqa: N815
        source="dollar_rate", help_text="What one unit of `from` is worth in US dollars."
    )
    expiration = serializers.IntegerField(
        source="LIFETIME.seconds",
        help_text="The seconds from `created_at` for which it can be used.",
    )
    created_at = serializers.DateTimeField(help_text="When you asked for it.")


class Quotes(RetrieveMixin):
    """What an amount comes to in another currency, bound for a minute."""

    product = "conversions"
    resource = scope = "quotes"
    queryset = Quote.objects.all()
    serializer_class = QuoteItem
    words = "quotes", "quote"
    example = examples.QUOTE

    @operation(
        body=QuoteBody, status=201, kind="quotes", financial=True, example=examples.NEW_QUOTE
    )
    def create(self, request: Request) -> Response:
        """Ask what an amount comes to in another currency, and bind it for 60 seconds."""
        money, to = self.body["money"], self.body["to"]
        quote = quotes.price(self.business, self.environment, money, to)
        if not is_holdable(quote.proceeds):
            said = (
                "Send an amount that comes to something a balance can hold in the other currency."
            )
            raise invalid(Fault("/amount", "out_of_range", said))
        return self.answer(quotes.create(quote, by=self.actor))
