"""CryptoAddress (receives an asset) and CryptoWithdrawal (sends an asset)."""

from typing import Any

from django.db import models

from api.payments.models import disbursement
from api.payments.models.disbursement import Disbursement
from api.payments.models.ledger import EntryType
from api.payments.models.owned_object import (
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from console.core import ids


class CryptoAddress(OwnedObject):
    """A business's address for one asset on one network."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("adr"))
    asset = models.CharField(max_length=10)
    network = models.CharField(max_length=20)
    address = models.CharField(max_length=100)

    class Meta:
        indexes = [reading_order("addresses"), *listed_by("addresses", "asset")]
        constraints = [
            known_environment("address"),
            kept("address", "asset", "network", "address"),
            models.UniqueConstraint(
                fields=["network", "address"], name="an_address_belongs_to_one_business"
            ),
        ]

    def audit_details(self) -> dict[str, Any]:
        return {"asset": self.asset, "network": self.network, "address": self.address}


class CryptoWithdrawal(Disbursement):
    """A disbursement of an asset to an external address."""

    TYPE = EntryType.CRYPTO_WITHDRAWAL
    FAILURE = "rejected_by_network"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("wdr"))
    network = models.CharField(max_length=20)
    address = models.CharField(max_length=100)

    class Meta:
        indexes = disbursement.indexes("withdrawal")
        constraints = disbursement.constraints("withdrawal", "network", "address")

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"network": self.network, "address": self.address}
