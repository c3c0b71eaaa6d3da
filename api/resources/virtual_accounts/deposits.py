"""Money that arrives on virtual accounts: counted once, held while the account is frozen."""

from django.db import transaction

from api.sandbox import ledger, owned
from api.sandbox.lifecycle import DepositStatus, VirtualAccountStatus
from api.sandbox.models import Account, Deposit, EntryType, VirtualAccount
from console.accounts.actors import Actor
from console.core import clock
from console.core.refusals import WrongStatus


@transaction.atomic
def receive(deposit: Deposit, *, by: Actor) -> Deposit:
    """Book a deposit, or return the one that has its provider reference already."""
    account = locked(deposit.virtual_account)
    if account.status not in (VirtualAccountStatus.ACTIVE, VirtualAccountStatus.FROZEN):
        said = VirtualAccountStatus(account.status).label.lower()
        raise WrongStatus(f"The account is {said}: no money can arrive on it.")
    held = account.status == VirtualAccountStatus.FROZEN
    deposit.created_at = clock.now()
    deposit.status = DepositStatus.HELD if held else DepositStatus.SETTLED
    deposit.settled_at = None if held else deposit.created_at
    # Whoever comes second with a reference waits here for the first, and then finds it.
    Deposit.objects.bulk_create([deposit], ignore_conflicts=True)
    known = Deposit.objects.select_related("business").get(
        business=deposit.business,
        environment=deposit.environment,
        provider_reference=deposit.provider_reference,
    )
    if known.public_id != deposit.public_id:
        return known
    if held:
        _post(known, Account.EXTERNAL, Account.PENDING)
        owned.announce(known, "deposit.held", by=by)
    else:
        _post(known, Account.EXTERNAL, Account.AVAILABLE)
        owned.announce(known, "deposit.settled", by=by)
    return known


def locked(account: VirtualAccount) -> VirtualAccount:
    """Return the account as it is now, held until the transaction ends."""
    rows = VirtualAccount.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("business").get(pk=account.pk)


def holds_money(account: VirtualAccount) -> bool:
    """Tell whether deposits on the account wait for it to be let on."""
    return Deposit.objects.filter(virtual_account=account, status=DepositStatus.HELD).exists()


def settle_held(account: VirtualAccount, *, by: Actor) -> None:
    """Let the money go that was held on a locked account."""
    held = Deposit.objects.filter(virtual_account=account, status=DepositStatus.HELD)
    for deposit in held.select_related("business").order_by("pk"):
        deposit.status, deposit.settled_at = DepositStatus.SETTLED, clock.now()
        deposit.save(update_fields=["status", "settled_at"])
        _post(deposit, Account.PENDING, Account.AVAILABLE)
        owned.announce(deposit, "deposit.settled", act="deposit.released", by=by)


def _post(deposit: Deposit, leaves: Account, enters: Account) -> None:
    ledger.post(
        deposit.business,
        deposit.environment,
        deposit.money,
        (leaves, enters),
        EntryType.DEPOSIT,
        deposit.public_id,
    )
