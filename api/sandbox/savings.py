"""Open savings, put money aside, and take it back."""

from django.db import transaction
from django.db.models import F

from api.sandbox import scoping
from api.sandbox.currencies import is_held
from api.sandbox.disbursing import CREATED
from api.sandbox.lifecycle import DisbursementStatus
from api.sandbox.models import Savings, SavingsDirection, SavingsMovement
from api.sandbox.provider import CurrencyNotAvailable, InsufficientBalance
from console.accounts.actors import Actor


@transaction.atomic
def create(savings: Savings, *, by: Actor) -> Savings:
    """Open savings, or raise CurrencyNotAvailable."""
    if not is_held(savings.currency, savings.business_id):
        raise CurrencyNotAvailable(savings.currency, field="currency")
    return scoping.create(savings, "savings.created", by=by)


def keep_balance(movement: SavingsMovement, to: str) -> None:
    """Keep the balance of the savings with each move.

    The balance of the currency was changed before: whoever moves savings holds the two in one
    order, so that nobody waits for each other.
    """
    out = movement.direction == SavingsDirection.WITHDRAWAL
    if to == CREATED:
        if out:
            _add(movement, -movement.amount)
    # What goes in counts once it is there, and what goes out until it is known to have stayed.
    elif out == (to == DisbursementStatus.FAILED):
        _add(movement, movement.amount)


def _add(movement: SavingsMovement, minor: int) -> None:
    """Add to the savings, or raise InsufficientBalance where less is there than is taken."""
    rows = Savings.objects.filter(public_id=movement.savings_id, balance__gte=-minor)
    if not rows.update(balance=F("balance") + minor):
        raise InsufficientBalance("You cannot withdraw more than you have saved.")
