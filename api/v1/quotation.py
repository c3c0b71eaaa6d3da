"""POST /currencies/quotation: what an amount comes to in another currency, in numbers."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from api.gateway.envelopes import SECOND_FAMILY, succeeded
from api.gateway.fields import StrictSerializer
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import Fault, invalid
from api.sandbox import quotes
from api.sandbox.exchange_rates import DOLLAR
from api.sandbox.models import Quote
from api.v1.callers import business_of, key_of
from api.v1.described import Described, result_of
from api.v1.examples import second_family as examples
from api.v1.numbers import AmountNumberField, is_exact, money_of_number, number
from api.v1.quotes import LIFETIME_SECONDS
from api.v1.resource import require_provider
from api.v1.shared_fields import CurrencyField, is_holdable
from console.core.money import CURRENCIES, Money


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


class QuotationItem(Described):
    """What an amount comes to in another currency."""

    vars()["from"] = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that is given."
    )
    to = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that is wanted."
    )
    fromAmount = serializers.FloatField(help_text="How much is given.")  # noqa: N815
    toAmount = serializers.FloatField(  # noqa: N815
        help_text="What it comes to: `fromAmount` times `rate`, a half to the even neighbour."
    )
    rate = serializers.FloatField(help_text="What one unit of `from` is worth in `to`.")
    value = serializers.FloatField(help_text="The same as `toAmount`.")
    fromAmountInUSD = serializers.FloatField(  # noqa: N815
        help_text="What is given, in US dollars."
    )
    fromAmountInUSDRate = serializers.FloatField(  # noqa: N815
        help_text="What one unit of `from` is worth in US dollars."
    )
    id = serializers.CharField(
        help_text="The id of the quote, which a conversion or a transfer can use once."
    )
    expiration = serializers.IntegerField(
        help_text="The seconds from `meta.timestamp` for which it can be used."
    )


def create(call: Call) -> ApiAnswer:
    """Ask what an amount comes to in another currency, in numbers."""
    require_provider(call)
    body = call.body
    quote = quotes.price(business_of(call), call.environment, body["money"], body["to"])
    if not (is_holdable(quote.proceeds) and is_exact(quote.proceeds) and is_exact(_dollars(quote))):
        said = "Send an amount that comes to something a number can say in the other currency."
        raise invalid(Fault("/amount", "out_of_range", said))
    quotes.create(quote, by=key_of(call))
    return ApiAnswer(succeeded("Operation successful", [_shown(quote)], at=quote.created_at))


def _shown(quote: Quote) -> dict[str, Any]:
    return {
        "from": quote.from_currency,
        "to": quote.to_currency,
        "fromAmount": number(quote.money),
        "toAmount": number(quote.proceeds),
        "rate": float(Decimal(quote.rate)),
        "value": number(quote.proceeds),
        "fromAmountInUSD": number(_dollars(quote)),
        "fromAmountInUSDRate": float(Decimal(quote.dollar_rate)),
        "id": quote.public_id,
        "expiration": LIFETIME_SECONDS,
    }


def _dollars(quote: Quote) -> Money:
    return Money(quote.dollar_amount, DOLLAR)


OPERATIONS = [
    Operation(
        "quotation.create",
        "POST",
        "/currencies/quotation",
        product="conversions",
        scope="quotes:read",
        function=create,
        body=QuotationBody,
        answer=result_of(QuotationItem, many=True),
        envelope=SECOND_FAMILY,
        example=examples.NEW_QUOTATION,
        codes=("NO_PROVIDER_ENABLED",),
        kind="quotes",
    )
]
