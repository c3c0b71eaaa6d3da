"""GET /rates: what one currency is worth in others."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import exchange_rates
from api.sandbox.currencies import held_currencies
from api.v1.described import Described, page_of
from api.v1.examples import exchange as examples
from api.v1.resource import require_provider
from console.core.money import CURRENCIES


class CurrencyCodeField(StrictText):
    """The code of a currency that we may or may not hold."""

    def __init__(self, **more: object) -> None:
        says = "Send the code of a currency or asset, like USD."
        super().__init__(pattern="[A-Za-z]{3,10}", says=says, max_length=10, **more)


class RateQuery(StrictSerializer):
    """GET /rates: of which currency, in which others."""

    unknown = "unknown_parameter"

    base = CurrencyCodeField(
        default=exchange_rates.DOLLAR,
        help_text="The currency of which one unit is priced.",
    )
    quotes = serializers.ListField(
        child=CurrencyCodeField(),
        default=list,
        help_text="Only the prices in these currencies. Repeat the parameter for more than one.",
    )


class RateItem(Described):
    """What one unit of `base` is worth in `quote`."""

    object = serializers.ChoiceField(choices=["rate"], help_text="What this is.")
    base = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of which one unit is priced."
    )
    quote = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of the price."
    )
    rate = serializers.CharField(
        help_text="The price as a decimal text, to ten significant digits."
    )


def list_rates(call: Call) -> ApiAnswer:
    """List what one unit of a currency is worth in others."""
    require_provider(call)
    base = call.parameters["base"]
    held = held_currencies(call.business.pk)
    wanted = dict.fromkeys(call.parameters["quotes"]) or [one for one in held if one != base]
    current = exchange_rates.current()
    rates = [current.of_pair(base, quote, held) for quote in wanted]
    return pages.whole(
        [
            {"object": "rate", "base": one.base, "quote": one.quote, "rate": one.text}
            for one in rates
        ]
    )


OPERATIONS = [
    Operation(
        "rates.list",
        "GET",
        "/rates",
        product="rates",
        scope="rates:read",
        function=list_rates,
        query=RateQuery,
        answer=page_of(RateItem),
        example=examples.RATES,
        codes=("NO_PROVIDER_ENABLED",),
    )
]
