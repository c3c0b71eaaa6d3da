"""Which currencies exist for a business: all, but those that it has to opt in to and has not."""

from api.resources.ledger.models import Balance
from console.core.money import CURRENCIES

_OPT_IN = [code for code, one in CURRENCIES.items() if one.opt_in]


def held_currencies(business_pk: int, environment: str) -> list[str]:
    """Return the codes of the currencies that exist for a business, in the order of all."""
    balances = Balance.objects.filter(business=business_pk, environment=environment)
    opted = set(balances.filter(currency__in=_OPT_IN).values_list("currency", flat=True))
    return [code for code, one in CURRENCIES.items() if not one.opt_in or code in opted]
