"""Currencies of a business: those it holds, opening balances, and opt-ins."""

from collections.abc import Sequence

from django.db import transaction

from api.payments.models import Account, Balance, CurrencyOptIn, EntryType, LedgerEntry
from api.providers.interface import CurrencyNotAvailable
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts import access
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.money import ASSETS, CURRENCIES, Currency
from console.core.refusals import Blocker, NotReady, WrongStatus
from console.events import outbox as events
from console.events.models import Event


def held_currencies(business_pk: int) -> list[str]:
    """Return the codes of the currencies that a business has, in catalogue order."""
    open_now = CurrencyOptIn.objects.filter(business=business_pk, ended_at=None)
    opted = set(open_now.values_list("currency", flat=True))
    return [code for code, one in CURRENCIES.items() if not one.opt_in or code in opted]


def is_held(currency: str, business_pk: int) -> bool:
    """Tell whether a business has a currency. Needs no query unless opt-in is required."""
    return not CURRENCIES[currency].opt_in or currency in held_currencies(business_pk)


def require_held(currency: str, business_pk: int) -> None:
    """Raise CurrencyNotAvailable for the request field `currency`, unless the business has it."""
    if not is_held(currency, business_pk):
        raise CurrencyNotAvailable(currency, field="currency")


_MONEY, _ASSETS = 1_000_000, 100_000


def open_with_grant(event: Event) -> None:
    """Create the balances of a new environment, in the transaction that opens it. Safe to repeat.

    That transaction has locked the business, as do the ones that add or end a currency.
    """
    grant = Grant.objects.select_related("business").get(public_id=event.subject_id)
    open_balances(grant.business, grant.environment, held_currencies(grant.business_id))


def open_balances(business: Business, environment: str, currencies: Sequence[str]) -> None:
    """Create an environment's balances for these currencies. Existing ones do not change.

    Those of a sandbox begin with test money, and those of live with nothing.
    """
    now = clock.now()
    # Lists show the newest first, so save the first currency last.
    Balance.objects.bulk_create(
        [
            Balance(
                business=business,
                environment=environment,
                currency=currency,
                created_at=now,
            )
            for currency in reversed(currencies)
        ],
        ignore_conflicts=True,
    )
    if environment != Environment.SANDBOX:
        return
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


@transaction.atomic
def opt_in(business: Business, currency: str, *, reason: str, by: User) -> CurrencyOptIn:
    """Enable a currency for a business, with a balance if its sandbox is open."""
    business = _decided_about(business, by)
    if is_held(currency, business.pk):
        raise WrongStatus(f"{business} has {currency} already.")
    now = clock.now()
    row = CurrencyOptIn.objects.create(business=business, currency=currency, opened_at=now)
    balances = Balance.objects.filter(business=business)
    # A former balance continues, from zero.
    balances.filter(currency=currency).update(removed_at=None)
    for environment in (
        balances.order_by("environment")
        .distinct("environment")
        .values_list("environment", flat=True)
    ):
        open_balances(business, environment, [currency])
    audit.record("currency.opened", row, by=by, business=business, reason=reason)
    events.publish("currency.opened", row, business=business.public_id, currency=currency)
    return row


@transaction.atomic
def opt_out(business: Business, currency: str, *, reason: str, by: User) -> CurrencyOptIn:
    """End a currency for a business. Raises NotReady while a balance in it is not zero."""
    business = _decided_about(business, by)
    row = CurrencyOptIn.objects.filter(business=business, currency=currency, ended_at=None).first()
    if row is None:
        raise WrongStatus(f"{business} does not have {currency}.")
    balances = Balance.objects.select_for_update(no_key=True, of=("self",)).filter(
        business=business, currency=currency, removed_at=None
    )
    if blockers := [_blocker(one) for one in balances.order_by("pk") if one.total.minor]:
        raise NotReady(f"{business} still holds {currency}.", blockers=blockers)
    row.ended_at = clock.now()
    row.save(update_fields=["ended_at"])
    balances.update(removed_at=row.ended_at)
    audit.record("currency.ended", row, by=by, business=business, reason=reason)
    events.publish("currency.ended", row, business=business.public_id, currency=currency)
    return row


def _decided_about(business: Business, by: User) -> Business:
    """Return the locked business, if this staff member may decide about it."""
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, business)
    return Business.objects.locked(business)


def _blocker(balance: Balance) -> Blocker:
    said = f"The {balance.environment} balance holds {balance.total}. It must be zero."
    return Blocker("balance_not_zero", said)
