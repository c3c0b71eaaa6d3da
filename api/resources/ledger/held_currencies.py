"""Which currencies exist for a business: all, but those that it has to opt in to and has not."""

from api.sandbox.models import CurrencyOptIn
from console.core.money import CURRENCIES


def held_currencies(business_pk: int) -> list[str]:
    """Return the codes of the currencies that exist for a business, in the order of all."""
    open_now = CurrencyOptIn.objects.filter(business=business_pk, ended_at=None)
    opted = set(open_now.values_list("currency", flat=True))
    return [code for code, one in CURRENCIES.items() if not one.opt_in or code in opted]


def is_held(currency: str, business_pk: int) -> bool:
    """Tell whether a currency exists for a business. Of most it is known without a query."""
    return not CURRENCIES[currency].opt_in or currency in held_currencies(business_pk)
