"""The one function that moves a balance. The ledger takes it over."""

from django.db.models import F

from api.providers.sandbox import InsufficientBalance
from api.resources.balances.models import Balance
from console.accounts.models import Business
from console.core.money import Money


def move(
    business: Business, environment: str, money: Money, *, available: int = 0, reserved: int = 0
) -> None:
    """Add `money` so many times to what is available and reserved, or refuse: neither goes below 0.

    One statement that locks the balance until the transaction ends.
    """
    by_available, by_reserved = available * money.minor, reserved * money.minor
    moved = Balance.objects.filter(
        business=business,
        environment=environment,
        currency=money.currency,
        available__gte=-by_available,
        reserved__gte=-by_reserved,
    ).update(available=F("available") + by_available, reserved=F("reserved") + by_reserved)
    if not moved:
        raise InsufficientBalance(f"There is less than {money}.")
