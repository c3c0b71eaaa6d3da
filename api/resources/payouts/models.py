"""Payout: money that goes from a balance to a bank account."""

from django.db import models

from api.sandbox.models import Disbursement, EntryType, disbursement
from console.core import ids


class Payout(Disbursement):
    """A disbursement to the bank account that the request states."""

    TYPE = EntryType.PAYOUT
    FAILURE = "rejected_by_bank"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pay"))
    bank_account = models.JSONField()

    class Meta:
        indexes = disbursement.indexes("payout")
        constraints = disbursement.constraints("payout")
