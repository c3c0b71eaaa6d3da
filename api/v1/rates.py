"""GET /rates: exchange rates of a currency."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.fields import StrictText, any_of
from api.payments import exchange_rates
from api.payments.currencies import held_currencies
from api.serializers import ObjectField, ResourceSerializer, SentCurrencyField
from api.v1.examples.exchange import RATES
from api.validation import QuerySerializer
from api.viewsets import ResourceViewSet, operation


class CurrencyCodeField(StrictText):
    """A currency code, of a currency that we may or may not support."""

    def __init__(self, **more: Any) -> None:
        says = "Send the code of a currency or asset, like USD."
        super().__init__(pattern="[A-Za-z]{3,10}", says=says, max_length=10, **more)


class RateQuerySerializer(QuerySerializer):
    """GET /rates: the base currency, and the others."""

    base = CurrencyCodeField(
        default=exchange_rates.DOLLAR,
        help_text="The currency to price.",
    )
    quotes = any_of(CurrencyCodeField(), "Only prices in these currencies.")


class RateSerializer(ResourceSerializer):
    """The value of one unit of `base` in `quote`."""

    object = ObjectField("rate")
    base = SentCurrencyField(help_text="The currency to price.")
    quote = SentCurrencyField(help_text="The currency of the price.")
    rate = serializers.CharField(
        source="text", help_text="The price as a decimal string, with ten significant digits."
    )


class RateViewSet(ResourceViewSet):
    """Exchange rates."""

    product = resource = "rates"
    serializer_class = RateSerializer
    example = RATES

    @operation(
        many=True, query=RateQuerySerializer, codes=["NO_PROVIDER_ENABLED"], of_provider=True
    )
    def list(self, request: Request) -> Response:
        """List exchange rates of a currency."""
        base, wanted = self.parameters["base"], dict.fromkeys(self.parameters["quotes"])
        held, current = held_currencies(self.business.pk), exchange_rates.current()
        quoted = wanted or [one for one in held if one != base]
        rates = [current.of_pair(base, quote, held, fields=("base", "quotes")) for quote in quoted]
        return pagination.whole(self.get_serializer(rates, many=True).data)
