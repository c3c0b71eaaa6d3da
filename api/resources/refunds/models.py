"""Refund: money of a settled deposit that goes back to its payer."""

from django.db import models

from api.sandbox.models import Deposit, Disbursement, EntryType, disbursement
from console.core import ids


class Refund(Disbursement):
    """A disbursement to the payer of a deposit, whose provider reference it repeats."""

    TYPE = EntryType.REFUND
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ref"))
    deposit = models.ForeignKey(Deposit, on_delete=models.PROTECT, related_name="refunds")
    payment_reference = models.CharField(max_length=140)
    reason = models.CharField(max_length=255, blank=True)

    class Meta:
        indexes = disbursement.indexes("refund")
        constraints = disbursement.constraints("refund")
