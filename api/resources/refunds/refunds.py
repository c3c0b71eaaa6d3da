"""Give payments back: in all refunds together never more than was paid."""

from django.db import transaction
from django.db.models import Sum

from api.sandbox.disbursing import Disbursing
from api.sandbox.lifecycle import DepositStatus, DisbursementStatus
from api.sandbox.models import Deposit, Refund
from console.accounts.actors import Actor
from console.core.money import Money
from console.core.refusals import Blocker, NotReady, WrongStatus


class MoreThanPaid(NotReady):
    """What is left of the payment is less than is to be given back."""


REFUNDS = Disbursing(Refund, "refund")


@transaction.atomic
def create(refund: Refund, *, tries: int, by: Actor) -> Refund:
    """Give money of a settled deposit back, or raise MoreThanPaid.

    The deposit is held until the transaction ends, so refunds of one payment come one by one.
    """
    rows = Deposit.objects.select_for_update(no_key=True, of=("self",))
    deposit = rows.get(pk=refund.deposit_id)
    if deposit.status != DepositStatus.SETTLED:
        raise WrongStatus("The payment has not settled, so nothing of it can be given back.")
    given = deposit.refunds.exclude(status=DisbursementStatus.FAILED)
    before = given.aggregate(minor=Sum("amount"))["minor"] or 0
    left = Money(deposit.amount - before, deposit.currency)
    if refund.amount > left.minor:
        said = f"Of this payment {left} can still be given back."
        raise MoreThanPaid(said, blockers=[Blocker("out_of_range", said)])
    return REFUNDS.create(refund, tries=tries, by=by)
