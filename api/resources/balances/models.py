"""Balance: what a business holds of one currency, in one environment."""

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from console.accounts.models import Business


class Balance(models.Model):
    """Amounts in minor units. A cNGN balance exists only once the business has opted in."""

    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    environment = models.CharField(max_length=10, choices=Environment)
    currency = models.CharField(max_length=10)
    available = models.BigIntegerField(default=0)
    pending = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)
    last_reconciled_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["business", "environment", "-created_at", "-id"],
                name="balances_in_reading_order",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment", "currency"], name="one_balance_per_currency"
            ),
            models.CheckConstraint(
                condition=Q(available__gte=0, pending__gte=0, reserved__gte=0),
                name="a_balance_is_never_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.currency} of {self.business}, {self.environment}"
