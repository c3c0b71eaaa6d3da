"""Beneficiary: who receives. Transfer: money on its way to a beneficiary."""

from django.db import models
from django.db.models import Q

from api.sandbox.models import Disbursement, EntryType, OwnedObject, Quote, disbursement
from api.sandbox.models.owned_object import known_environment, reading_order
from console.core import ids


class Beneficiary(OwnedObject):
    """`removed_at` is when it was deleted: it is kept for the transfers that went to it."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ben"))
    name = models.CharField(max_length=140)
    country = models.CharField(max_length=2)
    currency = models.CharField(max_length=10)
    account = models.JSONField()
    removed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [reading_order("beneficiaries")]
        constraints = [known_environment("beneficiary")]

    def __str__(self) -> str:
        return self.name


class Transfer(Disbursement):
    """A disbursement to a beneficiary.

    With a quote, `destination_amount` in minor units of `destination_currency` is what arrives, at
    the quote's `rate`; without one neither is known yet.
    """

    TYPE = EntryType.TRANSFER
    FAILURE = "rejected_by_network"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("trf"))
    # Named by its public id, so that reading a transfer joins nothing.
    beneficiary = models.ForeignKey(
        Beneficiary, on_delete=models.PROTECT, to_field="public_id", db_index=False
    )
    quote = models.OneToOneField(Quote, on_delete=models.PROTECT, to_field="public_id", null=True)
    rate = models.CharField(max_length=30, blank=True)
    destination_currency = models.CharField(max_length=10)
    destination_amount = models.BigIntegerField(null=True)

    class Meta:
        indexes = disbursement.indexes("transfer")
        constraints = [
            *disbursement.constraints("transfer"),
            models.CheckConstraint(
                condition=Q(quote=None, rate="", destination_amount=None)
                | Q(quote__isnull=False, destination_amount__gt=0) & ~Q(rate=""),
                name="a_transfer_binds_what_its_quote_does",
            ),
        ]
