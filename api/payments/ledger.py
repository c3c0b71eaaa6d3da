"""Move money of a balance by ledger entries, which the database applies on insert."""

from collections.abc import Iterable
from typing import Any

from django.db import connection

from api.payments.models import Account, Balance, EntryType
from api.providers.interface import CurrencyNotAvailable, InsufficientBalance
from console.accounts.models import Business
from console.core import clock, ids
from console.core.money import Money
from console.core.refusals import Refused

_LARGEST = 2**63 - 1
# Locks the balance until the transaction ends and inserts only if the money is there, in one
# statement, so a refusal leaves the transaction usable.
_POST = """
INSERT INTO sandbox_ledgerentry (public_id, balance_id, business_id, environment, type, amount,
    currency, from_account, to_account, total_after, source, created_at)
SELECT %(public_id)s, id, business_id, environment, %(type)s, %(amount)s::bigint,
    currency, %(from)s, %(to)s, 0, %(source)s, %(now)s
FROM sandbox_balance
WHERE business_id = %(business)s AND environment = %(environment)s AND currency = %(currency)s
    AND stopped_at IS NULL AND removed_at IS NULL AND %(amount)s::bigint <= {room}
FOR NO KEY UPDATE
"""
_ROOM = {
    Account.AVAILABLE: "available",
    Account.PENDING: "pending",
    Account.RESERVED: "reserved",
    # Money from outside must not exceed what a balance can hold.
    Account.EXTERNAL: f"{_LARGEST} - available - pending - reserved",
}


class BalanceStopped(Refused):
    """Raised when the balance does not match its ledger and is stopped until the two agree."""

    code = "PROVIDER_UNAVAILABLE"


class BalanceFull(Refused):
    """Raised when the amount exceeds what a balance can hold."""

    reason = "balance_full"


def lock(business: Business, environment: str, currencies: Iterable[str]) -> set[str]:
    """Lock balances in a fixed order until the transaction ends; return the currencies found."""
    found = Balance.objects.select_for_update(no_key=True, of=("self",)).filter(
        business=business, environment=environment, currency__in=currencies, removed_at=None
    )
    return set(found.order_by("pk").values_list("currency", flat=True))


def post(
    business: Business,
    environment: str,
    money: Money,
    route: tuple[Account, Account],
    about: EntryType,
    source: str,
) -> None:
    """Move `money` from the first account of `route` to the second, or raise and move nothing.

    `source` is the public id of what moves it. Raises InsufficientBalance where the first account
    holds less, BalanceStopped, BalanceFull, and CurrencyNotAvailable for money into a balance that
    is not.
    """
    leaves, enters = route
    # Before the clock is read, so that entries of a balance are dated in their order.
    lock(business, environment, [money.currency])
    values: dict[str, Any] = {
        "business": business.pk,
        "environment": environment,
        "currency": money.currency,
        "public_id": ids.new("txn"),
        "type": about,
        "amount": money.minor,
        "from": leaves,
        "to": enters,
        "source": source,
        "now": clock.now(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_POST.format(room=_ROOM[leaves]), values)
        if cursor.rowcount != 1:
            found = Balance.objects.filter(
                business=business,
                environment=environment,
                currency=money.currency,
                removed_at=None,
            )
            raise _refusal(found.first(), money, leaves)


def _refusal(balance: Balance | None, money: Money, leaves: Account) -> Refused:
    if balance is not None and balance.stopped_at is not None:
        return BalanceStopped(f"The balance {balance.public_id} is stopped.")
    if leaves != Account.EXTERNAL:
        return InsufficientBalance(f"The balance is less than {money}.")
    if balance is None:
        return CurrencyNotAvailable(money.currency)
    return BalanceFull("The amount exceeds what a balance can hold.")
