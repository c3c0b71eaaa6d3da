"""Savings (money set aside) and SavingsMovement (a deposit or withdrawal)."""

from django.db import models
from django.db.models import Q

from api.payments.models import disbursement
from api.payments.models.disbursement import Disbursement
from api.payments.models.ledger import Account, EntryType
from api.payments.models.owned_object import (
    MinorUnits,
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from console.core import ids


class Savings(OwnedObject):
    """A savings account. `balance` is the sum of completed movements, less pending withdrawals."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("sav"))
    name = models.CharField(max_length=140)
    currency = models.CharField(max_length=10)
    balance = MinorUnits(default=0)

    class Meta:
        indexes = [reading_order("savings"), *listed_by("savings", "currency", "name")]
        constraints = [
            known_environment("savings"),
            kept("savings", "currency"),
            models.CheckConstraint(condition=Q(balance__gte=0), name="savings_are_never_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"


class SavingsDirection(models.TextChoices):
    """Whether money is deposited or withdrawn."""

    DEPOSIT = "deposit", "Deposit"
    WITHDRAWAL = "withdrawal", "Withdrawal"


class SavingsMovement(Disbursement):
    """A disbursement to the savings provider, or from it into the balance."""

    TYPE = EntryType.SAVINGS
    FAILURE = "rejected_by_provider"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("svm"))
    savings = models.ForeignKey(
        Savings, on_delete=models.PROTECT, to_field="public_id", db_index=False
    )
    direction = models.CharField(max_length=10, choices=SavingsDirection)

    class Meta:
        indexes = [disbursement.waiting("savings_move"), reading_order("savings_moves")]
        constraints = [
            *disbursement.constraints("savings_move", "savings", "direction"),
            models.CheckConstraint(
                condition=Q(direction__in=SavingsDirection.values),
                name="savings_move_goes_in_or_out",
            ),
        ]

    @property
    def route(self) -> tuple[Account, Account, Account]:
        if self.direction == SavingsDirection.WITHDRAWAL:
            return Account.EXTERNAL, Account.PENDING, Account.AVAILABLE
        return super().route
