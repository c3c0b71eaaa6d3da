"""Amounts as numbers of JSON, which the second family takes and answers."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from api.gateway.fields import mistake
from console.core.money import CURRENCIES, Money, NotMoney

# Up to so many digits a number of JSON is the number that was written.
_DIGITS = 15
LARGEST = 10**12


class AmountNumberField(serializers.Field[Decimal, Any, Any, Any]):
    """An amount above zero, as a number."""

    def to_internal_value(self, data: Any) -> Decimal:
        if type(data) not in (int, float):
            raise mistake("wrong_type", "Send a number.")
        amount = Decimal(repr(data))
        if not 0 < amount <= LARGEST:
            raise mistake("out_of_range", f"Send an amount above zero, up to {LARGEST:,}.")
        return amount


def money_of(amount: Decimal, currency: str) -> Money:
    """Return an amount of a currency, or raise the mistake of the member `amount`."""
    try:
        money = Money.parse(f"{amount.normalize():f}", currency)
    except NotMoney:
        places = CURRENCIES[currency].exponent
        wrong = mistake("wrong_shape", f"This currency has at most {places} decimal places.")
        raise serializers.ValidationError({"amount": wrong.detail}) from None
    if money.minor >= 10**_DIGITS:
        wrong = mistake("out_of_range", f"Send an amount of at most {_DIGITS} digits.")
        raise serializers.ValidationError({"amount": wrong.detail})
    return money
