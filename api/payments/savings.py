"""Open savings accounts, and keep their balances."""

from django.db import transaction
from django.db.models import F

from api.payments import scoping
from api.payments.currencies import require_held
from api.payments.disbursing import CREATED
from api.payments.lifecycle import DisbursementStatus
from api.payments.models import Savings, SavingsDirection, SavingsMovement
from api.providers.interface import InsufficientBalance
from console.accounts.actors import Actor


@transaction.atomic
def create(savings: Savings, *, by: Actor) -> Savings:
    """Open savings, or raise CurrencyNotAvailable."""
    require_held(savings.currency, savings.business_id)
    return scoping.create(savings, "savings.created", by=by)


def keep_balance(movement: SavingsMovement, to: str) -> None:
    """Update the savings balance when a movement changes status.

    The currency's balance is always changed first, in this fixed order, to avoid deadlocks.
    """
    out = movement.direction == SavingsDirection.WITHDRAWAL
    if to == CREATED:
        if out:
            _add(movement, -movement.amount)
    # Add a deposit when it completes, and give back a withdrawal when it fails.
    elif out == (to == DisbursementStatus.FAILED):
        _add(movement, movement.amount)


def _add(movement: SavingsMovement, minor: int) -> None:
    """Change the savings balance. Raises InsufficientBalance if too little is left."""
    rows = Savings.objects.filter(public_id=movement.savings_id, balance__gte=-minor)
    if not rows.update(balance=F("balance") + minor):
        raise InsufficientBalance("You cannot withdraw more than you have saved.")
