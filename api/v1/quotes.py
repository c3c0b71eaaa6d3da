"""POST /quotes, GET /quotes/{id}: what an amount comes to in another currency, bound for a minute.

Its members are those of the specification's quote, with decimal texts in the place of numbers.
"""

from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictSerializer
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import Fault, invalid
from api.sandbox import quotes
from api.sandbox.exchange_rates import DOLLAR
from api.sandbox.models import Quote
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of
from api.v1.examples import exchange as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import reading_row
from api.v1.shared_fields import AmountField, CurrencyField, is_holdable, money_of
from console.core.money import CURRENCIES, decimal

LIFETIME_SECONDS = int(quotes.LIFETIME.total_seconds())


class QuoteBody(StrictSerializer):
    """POST /quotes: how much of one currency is to become another."""

    # A member of this name cannot be written as an attribute.
    vars()["from"] = CurrencyField(help_text="The currency or asset that is given.")
    to = CurrencyField(help_text="The currency or asset that is wanted.")
    amount = AmountField(
        help_text="How much is given, above zero, with at most the decimals of its currency. In the"
        " sandbox it chooses what becomes of the conversion."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of(attrs["amount"], attrs["from"])}


class QuoteItem(Described):
    """What an amount comes to in another currency. It can be used once, before it expires."""

    id = serializers.CharField(help_text="The id of the quote.")
    object = serializers.ChoiceField(choices=["quote"], help_text="What this is.")
    vars()["from"] = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that is given."
    )
    to = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that is wanted."
    )
    fromAmount = DescribedAmount("from", help_text="How much is given, as a decimal text.")  # noqa: N815
    toAmount = DescribedAmount(  # noqa: N815
        "to",
        help_text="What it comes to: `fromAmount` times `rate`, a half to the even neighbour.",
    )
    rate = serializers.CharField(help_text="What one unit of `from` is worth in `to`.")
    value = DescribedAmount("to", help_text="The same as `toAmount`.")
    fromAmountInUSD = DescribedAmount("", help_text="What is given, in US dollars.")  # noqa: N815
    fromAmountInUSDRate = serializers.CharField(  # noqa: N815
        help_text="What one unit of `from` is worth in US dollars."
    )
    expiration = serializers.IntegerField(
        help_text="The seconds from `created_at` for which it can be used."
    )
    created_at = serializers.DateTimeField(help_text="When you asked for it.")


RESOURCE = Resource(
    Quote,
    QuoteItem,
    columns={
        "from": "from_currency",
        "to": "to_currency",
        "fromAmount": "from_amount",
        "toAmount": "to_amount",
        "fromAmountInUSDRate": "dollar_rate",
    },
    computed={
        "value": lambda columns: decimal(columns["to_amount"], columns["to_currency"]),
        "fromAmountInUSD": lambda columns: decimal(columns["dollar_amount"], DOLLAR),
        "expiration": lambda _: LIFETIME_SECONDS,
    },
    also=("dollar_amount",),
)


def create(call: Call) -> ApiAnswer:
    """Ask what an amount comes to in another currency, and bind it for 60 seconds."""
    require_provider(call)
    body = call.body
    quote = quotes.price(business_of(call), call.environment, body["money"], body["to"])
    if not is_holdable(quote.proceeds):
        said = "Send an amount that comes to something a balance can hold in the other currency."
        raise invalid(Fault("/amount", "out_of_range", said))
    return RESOURCE.answer(quotes.create(quote, by=key_of(call)))


OPERATIONS = [
    Operation(
        "quotes.create",
        "POST",
        "/quotes",
        product="conversions",
        scope="quotes:write",
        function=create,
        body=QuoteBody,
        answer=answer_of(QuoteItem),
        example=examples.NEW_QUOTE,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
        kind="quotes",
        financial=True,
    ),
    reading_row(RESOURCE, "/quotes", "conversions", "quotes:read", "quote", examples.QUOTE),
]
