"""Open a currency that not every business holds, and end it again once its balance is zero."""

from django.db import transaction

from api.sandbox import currencies
from api.sandbox.currencies import is_held
from api.sandbox.models import Balance, CurrencyOptIn
from apikeys.lifecycle import Environment
from console.accounts import access
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Blocker, NotReady, WrongStatus
from console.events import outbox as events

SENTENCES = {
    "currency.opened": "{actor} opened the currency {subject} for the business",
    "currency.ended": "{actor} ended the currency {subject} for the business",
}


@transaction.atomic
def opt_in(business: Business, currency: str, *, reason: str, by: User) -> CurrencyOptIn:
    """Let the currency exist for a business: with a balance where its sandbox is open."""
    business = _decided_about(business, by)
    if is_held(currency, business.pk):
        raise WrongStatus(f"{business} has {currency} already.")
    now = clock.now()
    row = CurrencyOptIn.objects.create(business=business, currency=currency, opened_at=now)
    balances = Balance.objects.filter(business=business)
    # One that it had before goes on from zero.
    balances.filter(currency=currency).update(removed_at=None)
    if balances.filter(environment=Environment.SANDBOX).exists():
        currencies.open_balances(business, [currency])
    audit.record("currency.opened", row, by=by, business=business, reason=reason)
    events.publish("currency.opened", row, business=business.public_id, currency=currency)
    return row


@transaction.atomic
def opt_out(business: Business, currency: str, *, reason: str, by: User) -> CurrencyOptIn:
    """End the currency for a business, or refuse while a balance of it holds anything."""
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
    """Return the locked business that this person of our staff decides about, or refuse."""
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, business)
    return Business.objects.locked(business)


def _blocker(balance: Balance) -> Blocker:
    said = f"The {balance.environment} balance holds {balance.total}. It must be zero."
    return Blocker("balance_not_zero", said)
