"""POST /quotes, GET /quotes/{id}: a quote in another currency, binding for one minute.

The fields are those of the specification's quote, with decimal strings instead of numbers.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer
from api.payments import quotes
from api.payments.models import Quote
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1.examples import exchange as examples
from api.v1.shared_fields import (
    AmountField,
    CurrencyField,
    money_of,
    require_exchangeable,
    require_holdable,
)
from api.viewsets import RetrieveMixin, operation


class QuoteCreateSerializer(StrictSerializer):
    """POST /quotes: the amount and the currencies."""

    # `from` is a keyword and cannot be an attribute.
    vars()["from"] = CurrencyField(help_text="The currency or asset that you sell.")
    to = CurrencyField(help_text="The currency or asset that you want to buy.")
    amount = AmountField(
        help_text=(
            "The amount that you sell, at least 1, with no more decimals than the currency has. "
            "In the sandbox this amount chooses the outcome of the conversion."
        )
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": require_exchangeable(money_of(attrs["amount"], attrs["from"]))}


class QuoteSerializer(ResourceSerializer):
    """A quote for an amount in another currency. You can use it once before it expires."""

    id = IdField(help_text="The id of the quote.")
    object = ObjectField("quote")
    vars()["from"] = SentCurrencyField(
        source="from_currency", help_text="The currency or asset that you sell."
    )
    to = SentCurrencyField(
        source="to_currency", help_text="The currency or asset that you want to buy."
    )
    fromAmount = SentAmountField(  # noqa: N815
        "from", source="from_amount", help_text="The amount that you sell, as a decimal string."
    )
    toAmount = SentAmountField(  # noqa: N815
        "to",
        source="to_amount",
        help_text="The amount that you buy: `fromAmount` times `rate`, rounded down.",
    )
    rate = serializers.CharField(help_text="The value of one unit of `from` in `to`.")
    value = SentAmountField("to", source="to_amount", help_text="The same as `toAmount`.")
    fromAmountInUSD = SentAmountField(  # noqa: N815
        "", source="dollars", help_text="The amount that you sell, in US dollars."
    )
    fromAmountInUSDRate = serializers.CharField(  # noqa: N815
        source="dollar_rate", help_text="The value of one unit of `from` in US dollars."
    )
    expiration = serializers.IntegerField(
        source="LIFETIME.seconds",
        help_text="How long you can use it, in seconds from `created_at`.",
    )
    created_at = serializers.DateTimeField(help_text="When you requested it.")


class QuoteViewSet(RetrieveMixin):
    """Quotes, binding for one minute."""

    product = "conversions"
    resource = scope = "quotes"
    queryset = Quote.objects.all()
    serializer_class = QuoteSerializer
    words = "quotes", "quote"
    example = examples.QUOTE

    @operation(
        body=QuoteCreateSerializer,
        status=201,
        kind="quotes",
        financial=True,
        example=examples.NEW_QUOTE,
    )
    def create(self, request: Request) -> Response:
        """Get a quote for an amount in another currency. The rate is valid for 60 seconds."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        money, to = body["money"], body["to"]
        quote = quotes.price(self.business, self.environment, money, to)
        require_holdable(quote.proceeds)
        return self.answer(quotes.create(quote, by=self.actor))
