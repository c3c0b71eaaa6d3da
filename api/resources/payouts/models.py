"""Payout: money that goes from a balance to a bank account."""

from django.db import models
from django.db.models import Q

from api.resources.payouts.lifecycle import PAYOUT_LIFECYCLE, PayoutStatus
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.core import ids
from console.core.money import Money
from console.core.moves import MovesConstraint


class Payout(models.Model):
    """`amount` is in minor units. `settles_at` is when the sandbox does what waits."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pay"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    status = models.CharField(max_length=20, choices=PayoutStatus, default=PayoutStatus.PENDING)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=10)
    bank_account = models.JSONField()
    reference = models.CharField(max_length=140, blank=True)
    metadata = models.JSONField(default=dict)
    failure_reason = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()
    settles_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["business", "environment", "-created_at", "-id"],
                name="payouts_in_reading_order",
            ),
            models.Index(
                fields=["settles_at"], condition=Q(status="pending"), name="payouts_that_wait"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=PayoutStatus.values, environment__in=Environment.values),
                name="payout_status_is_known",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_payout_moves_something"),
            MovesConstraint(arrows=PAYOUT_LIFECYCLE.arrows(), name="payout_moves_by_the_table"),
        ]

    def __str__(self) -> str:
        return f"{self.money} ({self.public_id})"

    @property
    def money(self) -> Money:
        return Money(self.amount, self.currency)
