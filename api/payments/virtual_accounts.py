"""Open virtual accounts, change their status by the table of 2.16, and close them."""

from datetime import timedelta
from typing import Any

from django.db import transaction

from api.payments import deposits, identity_verifications, instruction_queue, scoping
from api.payments.currencies import require_held
from api.payments.lifecycle import VIRTUAL_ACCOUNT_LIFECYCLE, VirtualAccountStatus
from api.payments.models import ACCOUNT, Customer, FreezeAuthority, VirtualAccount
from api.providers.simulated import provider_for
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business
from console.core import clock
from console.core.refusals import WrongStatus
from onboarding import application_facts

# Time to supply the information that a provider lacks.
ANSWER_WITHIN = timedelta(days=30)


def name_of(business: Business, currency: str, customer: Customer | None, asked: str) -> str:
    """Return the account name that payers must use.

    Naira accounts always have the legal name of the business. Otherwise it is the requested name,
    or else the name of a customer that an identity verification has confirmed.
    """
    if currency == "NGN":
        return application_facts.legal_name(business)
    if not asked and customer is not None and identity_verifications.is_confirmed(customer):
        return customer.legal_name
    return asked or f"BUSINESS {business.public_id}"


@transaction.atomic
def create(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    """Ask for an account, or raise CurrencyNotAvailable. In live, its provider is asked."""
    require_held(account.currency, account.business_id)
    account = scoping.create(account, "virtual_account.created", by=by)
    if account.environment == Environment.LIVE:
        body = {"currency": account.currency, "account_name": account.account_name}
        holder = {"name": account.account_name}
        instruction_queue.queue(account, ACCOUNT, "virtual_accounts", body, parties=[holder])
    return account


@transaction.atomic
def issue(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    """Give a pending account its number and bank, so that it can receive money."""
    account = scoping.locked(account)
    to, since = VirtualAccountStatus.ACTIVE, VirtualAccountStatus.PENDING
    scoping.require(account, VIRTUAL_ACCOUNT_LIFECYCLE, to, since=since)
    issued = provider_for(account.environment).issue_account(account.pk, account.currency)
    return _open(account, issued.number, issued.bank, by=by)


def answered(public_id: str, numbers: tuple[str, str] | None, *, by: Actor) -> None:
    """Apply what live's provider says: number and bank, or None if it refuses the account.

    An account that the business has closed meanwhile stays closed, and its provider is told.
    """
    account = scoping.locked(VirtualAccount.objects.get(public_id=public_id))
    if account.status == VirtualAccountStatus.CLOSED:
        if numbers is not None:
            instruction_queue.tell_status(account)
        return
    if numbers is None:
        _fail(account, by=by)
    else:
        _open(account, *numbers, by=by)


def _fail(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    return _move(account, VirtualAccountStatus.FAILED, by=by)


def _open(account: VirtualAccount, number: str, bank: str, *, by: Actor) -> VirtualAccount:
    named = {"account_number": number, "bank_name": bank}
    return _move(account, VirtualAccountStatus.ACTIVE, by=by, **named)


@transaction.atomic
def require_action(account: VirtualAccount, reasons: list[str], *, by: Actor) -> VirtualAccount:
    """Request what the provider lacks; the account fails after 30 days without it."""
    waits: dict[str, Any] = {"reasons": reasons, "action_until": clock.now() + ANSWER_WITHIN}
    return _move(scoping.locked(account), VirtualAccountStatus.REQUIRES_ACTION, by=by, **waits)


@transaction.atomic
def resubmit(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    """Supply the requested information."""
    return _move(scoping.locked(account), VirtualAccountStatus.PENDING, by=by)


@transaction.atomic
def fail(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    """Refuse an account that was never active."""
    return _fail(scoping.locked(account), by=by)


@transaction.atomic
def freeze(account: VirtualAccount, authority: str, *, by: Actor) -> VirtualAccount:
    """Freeze an account. Incoming money is held, not returned."""
    who = FreezeAuthority(authority)
    return _move(scoping.locked(account), VirtualAccountStatus.FROZEN, by=by, frozen_by=who)


@transaction.atomic
def unfreeze(account: VirtualAccount, authority: str, *, by: Actor) -> VirtualAccount:
    """Unfreeze an account and release held money. Only whoever froze it may do so."""
    account = scoping.locked(account)
    to, since = VirtualAccountStatus.ACTIVE, VirtualAccountStatus.FROZEN
    scoping.require(account, VIRTUAL_ACCOUNT_LIFECYCLE, to, since=since)
    if account.frozen_by != authority:
        raise WrongStatus(
            f"{account.frozen_by} froze this account, and only {account.frozen_by} can unfreeze"
            " it.",
            reason="frozen_by_another",
        )
    account = _move(account, to, act="virtual_account.unfrozen", by=by)
    deposits.settle_held(account, by=by)
    return account


@transaction.atomic
def close(account: VirtualAccount, *, by: Actor) -> VirtualAccount:
    """Close an account permanently, unless it has held money."""
    account = scoping.locked(account)
    if deposits.holds_money(account):
        raise WrongStatus(
            "You cannot close an account with held money.", reason="account_holds_money"
        )
    was_open = bool(account.account_number)
    account = _move(account, VirtualAccountStatus.CLOSED, by=by)
    if was_open:
        instruction_queue.tell_status(account)
    return account


def fail_unanswered() -> None:
    """Fail the accounts whose requested information was not supplied in time."""
    due = VirtualAccount.objects.filter(
        status=VirtualAccountStatus.REQUIRES_ACTION, action_until__lte=clock.now()
    )
    for account in due.order_by("pk").iterator():
        _fail_unanswered(account)


@transaction.atomic
def _fail_unanswered(account: VirtualAccount) -> None:
    account = scoping.locked(account)
    if account.action_until is not None and account.action_until <= clock.now():
        _move(account, VirtualAccountStatus.FAILED, act="virtual_account.unanswered", by=SYSTEM)


def _move(
    account: VirtualAccount, to: VirtualAccountStatus, *, act: str = "", by: Actor, **changes: Any
) -> VirtualAccount:
    """Change the status of a locked account and publish the event."""
    VIRTUAL_ACCOUNT_LIFECYCLE.check(account.status, to)
    account.status = to
    for name, value in ({"reasons": [], "action_until": None, "frozen_by": ""} | changes).items():
        setattr(account, name, value)
    account.save(update_fields=["status", "reasons", "action_until", "frozen_by", *changes])
    scoping.announce(account, f"virtual_account.{to}", act=act, by=by)
    return account
