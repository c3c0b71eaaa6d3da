"""The balances that a sandbox begins with."""

from api.resources.balances.models import Balance
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.core import clock
from console.core.money import CURRENCIES, Currency
from console.events.models import Event

_MONEY, _ASSETS = 1_000_000, 100_000
_ASSET_EXPONENT = 6


def open_with_grant(event: Event) -> None:
    """Give a sandbox its opening balances, in the transaction that opens it. Twice is once."""
    grant = Grant.objects.get(public_id=event.subject_id)
    if grant.environment != Environment.SANDBOX:
        return
    now = clock.now()
    # A list reads newest first, so the first currency is written last.
    Balance.objects.bulk_create(
        [
            Balance(
                business=grant.business,
                environment=grant.environment,
                currency=currency.code,
                available=_opening(currency),
                last_reconciled_at=now,
                created_at=now,
            )
            for currency in reversed(CURRENCIES.values())
            if not currency.opt_in
        ],
        ignore_conflicts=True,
    )


def _opening(currency: Currency) -> int:
    """Return 1,000,000.00 in minor units, or 100,000.000000 of an asset."""
    whole = _ASSETS if currency.exponent == _ASSET_EXPONENT else _MONEY
    return int(whole * 10**currency.exponent)
