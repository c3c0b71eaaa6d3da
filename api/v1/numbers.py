"""Amounts as JSON numbers, in requests and responses of the second family."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from api.fields import mistake, mistake_at
from api.v1.shared_fields import money_of
from console.core.money import Money

# A JSON number keeps this many digits exactly.
_DIGITS = 15
_LEAST_INEXACT = 1_000_000_000_000_000
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


def money_of_number(amount: Decimal, currency: str) -> Money:
    """Return an amount in a currency. Raises a validation error for `amount`."""
    money = money_of(f"{amount.normalize():f}", currency)
    if not is_exact(money):
        said = f"Send an amount of at most {_DIGITS} digits."
        raise mistake_at("amount", "out_of_range", said)
    return money


def is_exact(money: Money) -> bool:
    """Tell whether a JSON number can represent it exactly."""
    return money.minor < _LEAST_INEXACT
