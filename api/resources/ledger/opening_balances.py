"""The balances that a sandbox begins with."""

from collections.abc import Sequence

from api.sandbox.currencies import held_currencies
from api.sandbox.models import Account, Balance, EntryType, LedgerEntry
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business
from console.core import clock
from console.core.money import ASSETS, CURRENCIES, Currency
from console.events.models import Event

_MONEY, _ASSETS = 1_000_000, 100_000


def open_with_grant(event: Event) -> None:
    """Give a sandbox its opening balances, in the transaction that opens it. Twice is once.

    That transaction holds the business, as whoever opens or ends a currency does.
    """
    grant = Grant.objects.select_related("business").get(public_id=event.subject_id)
    if grant.environment == Environment.SANDBOX:
        open_balances(grant.business, held_currencies(grant.business_id))


def open_balances(business: Business, currencies: Sequence[str]) -> None:
    """Give a sandbox its balances of these currencies. One that was open before stays as it is."""
    now = clock.now()
    # A list reads newest first, so the first currency is written last.
    Balance.objects.bulk_create(
        [
            Balance(
                business=business,
                environment=Environment.SANDBOX,
                currency=currency,
                created_at=now,
            )
            for currency in reversed(currencies)
        ],
        ignore_conflicts=True,
    )
    empty = Balance.objects.filter(
        business=business, environment=Environment.SANDBOX, currency__in=currencies, entries=None
    )
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            balance=balance,
            business_id=balance.business_id,
            environment=balance.environment,
            type=EntryType.OPENING,
            amount=_opening(CURRENCIES[balance.currency]),
            currency=balance.currency,
            from_account=Account.EXTERNAL,
            to_account=Account.AVAILABLE,
            created_at=now,
        )
        for balance in empty.order_by("pk")
    )


def _opening(currency: Currency) -> int:
    """Return 1,000,000.00 in minor units, or 100,000.000000 of an asset."""
    whole = _ASSETS if currency.code in ASSETS else _MONEY
    return int(whole * 10**currency.exponent)
