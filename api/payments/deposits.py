"""Deposits: booked once, held while their account is frozen, refundable."""

from django.db import transaction
from django.db.models import Sum

from api.payments import ledger, scoping, screening_queue
from api.payments.lifecycle import DepositStatus, DisbursementStatus, VirtualAccountStatus
from api.payments.models import DEPOSIT, Account, Deposit, EntryType, Refund, VirtualAccount
from console.accounts.actors import Actor
from console.core import clock
from console.core.money import Money
from console.core.refusals import Refused, WrongStatus


class MoreThanPaid(Refused):
    """What is left of the payment is less than is to be given back."""

    code = "out_of_range"
    field = "amount"


@transaction.atomic
def receive(deposit: Deposit, *, payer: str = "", by: Actor) -> Deposit:
    """Book a deposit, or return the existing one with its provider reference.

    In live, its money is held until the `payer` is screened.
    """
    assert deposit.virtual_account is not None
    account = scoping.locked(deposit.virtual_account)
    if account.status not in (VirtualAccountStatus.ACTIVE, VirtualAccountStatus.FROZEN):
        said = VirtualAccountStatus(account.status).label.lower()
        raise WrongStatus(
            f"The account is {said}: no money can arrive on it.", reason="account_not_active"
        )
    held = account.status == VirtualAccountStatus.FROZEN or bool(payer)
    deposit.created_at = clock.now()
    deposit.status = DepositStatus.HELD if held else DepositStatus.SETTLED
    deposit.settled_at = None if held else deposit.created_at
    known = insert_once(deposit)
    if known.checkout_session_id is not None:
        raise WrongStatus(
            "This provider reference belongs to a payment of a checkout session.",
            reason="reference_in_use",
        )
    if known.public_id != deposit.public_id:
        return known
    if payer:
        party = {"name": payer}
        screening_queue.queue(known, DEPOSIT, [party], f"{known.money.decimal()} {known.currency}")
    if held:
        post(known, Account.EXTERNAL, Account.PENDING)
        scoping.announce(known, "deposit.held", by=by)
    else:
        post(known, Account.EXTERNAL, Account.AVAILABLE)
        scoping.announce(known, "deposit.settled", by=by)
    return known


def insert_once(deposit: Deposit) -> Deposit:
    """Save a deposit, or return the earlier one with its provider reference.

    A concurrent deposit with the same reference waits here, then finds the first one.
    """
    Deposit.objects.bulk_create([deposit], ignore_conflicts=True)
    return Deposit.objects.select_related("business").get(
        business=deposit.business,
        environment=deposit.environment,
        provider_reference=deposit.provider_reference,
    )


def holds_money(account: VirtualAccount) -> bool:
    """Tell whether deposits on the account are held."""
    return Deposit.objects.filter(virtual_account=account, status=DepositStatus.HELD).exists()


def settle_held(account: VirtualAccount, *, by: Actor) -> None:
    """Release the held deposits of a locked account, but for those whose payer is not cleared."""
    held = Deposit.objects.filter(virtual_account=account, status=DepositStatus.HELD)
    stopped = screening_queue.stopped().filter(business=account.business_id)
    held = held.exclude(public_id__in=stopped.values("object_id"))
    for deposit in held.select_related("business").order_by("pk"):
        _release(deposit, by=by)


@transaction.atomic
def settle_screened(public_id: str, *, by: Actor) -> None:
    """Release a held deposit whose payer is cleared, unless its account is frozen."""
    deposit = Deposit.objects.select_related("virtual_account").get(public_id=public_id)
    assert deposit.virtual_account is not None
    account = scoping.locked(deposit.virtual_account)
    deposit = scoping.locked(deposit)
    if account.status != VirtualAccountStatus.FROZEN and deposit.status == DepositStatus.HELD:
        _release(deposit, by=by)


def _release(deposit: Deposit, *, by: Actor) -> None:
    settle(deposit, act="deposit.released", by=by)


def settle(deposit: Deposit, *, act: str, by: Actor) -> None:
    """Add held money to the available balance. `act` is the audit code."""
    deposit.status, deposit.settled_at = DepositStatus.SETTLED, clock.now()
    deposit.save(update_fields=["status", "settled_at"])
    post(deposit, Account.PENDING, Account.AVAILABLE)
    scoping.announce(deposit, "deposit.settled", act=act, by=by)


def require_refundable(refund: Refund) -> None:
    """Raise an error unless the payment has settled and the refund is within what remains.

    Locks the deposit until the transaction ends, so that refunds of a payment run one by one.
    Raises WrongStatus or MoreThanPaid.
    """
    rows = Deposit.objects.select_for_update(no_key=True, of=("self",))
    deposit = rows.get(pk=refund.deposit_id)
    if deposit.status != DepositStatus.SETTLED:
        raise WrongStatus(
            "The payment has not settled, so you cannot refund it.", reason="payment_not_settled"
        )
    given = deposit.refunds.exclude(status=DisbursementStatus.FAILED)
    before = given.aggregate(minor=Sum("amount"))["minor"] or 0
    left = Money(deposit.amount - before, deposit.currency)
    if refund.amount > left.minor:
        raise MoreThanPaid(f"You can still refund {left} of this payment.")


def post(deposit: Deposit, leaves: Account, enters: Account) -> None:
    """Move the money of a deposit from one account of its balance to another."""
    ledger.post(
        deposit.business,
        deposit.environment,
        deposit.money,
        (leaves, enters),
        EntryType.DEPOSIT,
        deposit.public_id,
    )
