"""Cardholder, Card, and CardTransaction (a card payment)."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.payments.lifecycle import CARD_LIFECYCLE, CardStatus
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
from console.core.moves_constraint import MovesConstraint


class CardType(models.TextChoices):
    """Form of a card. We do not offer cards for a single payment (specification 1)."""

    VIRTUAL = "virtual", "Virtual"
    PHYSICAL = "physical", "Physical"


class Cardholder(OwnedObject):
    """A person who holds a business's cards."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("chd"))
    first_name = models.CharField(max_length=70)
    last_name = models.CharField(max_length=70)
    date_of_birth = models.DateField()
    country = models.CharField(max_length=2)
    address = models.JSONField()

    class Meta:
        indexes = [reading_order("cardholders")]
        constraints = [known_environment("cardholder"), kept("cardholder")]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class Card(OwnedObject):
    """A card: we only ever store its last four digits and its expiry."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("crd"))
    # Foreign key to the public ID, so that reading a card needs no join.
    cardholder = models.ForeignKey(
        Cardholder, on_delete=models.PROTECT, to_field="public_id", db_index=False
    )
    status = models.CharField(max_length=10, choices=CardStatus, default=CardStatus.ACTIVE)
    card_type = models.CharField(max_length=10, choices=CardType)
    currency = models.CharField(max_length=10)
    label = models.CharField(max_length=140, blank=True)
    last4 = models.CharField(max_length=4)
    expiry_month = models.PositiveSmallIntegerField()
    expiry_year = models.PositiveSmallIntegerField()

    class Meta:
        indexes = [
            reading_order("cards"),
            *listed_by("cards", "status", "currency", "label", "cardholder"),
        ]
        constraints = [
            known_environment("card"),
            kept(
                "card",
                "cardholder",
                "card_type",
                "currency",
                "last4",
                "expiry_month",
                "expiry_year",
            ),
            models.CheckConstraint(
                condition=Q(status__in=CardStatus.values, card_type__in=CardType.values),
                name="card_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(last4__regex=r"^[0-9]{4}$", expiry_month__range=(1, 12)),
                name="a_card_shows_four_digits",
            ),
            MovesConstraint(arrows=CARD_LIFECYCLE.arrows(), name="card_moves_by_the_table"),
        ]

    def __str__(self) -> str:
        return f"{self.card_type} card ending in {self.last4} ({self.public_id})"

    def audit_details(self) -> dict[str, Any]:
        return {"card_type": str(self.card_type), "currency": self.currency}


class CardTransaction(Disbursement):
    """A disbursement to the merchant that was paid by card."""

    TYPE = EntryType.CARD_TRANSACTION
    FAILURE = "declined_by_issuer"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ctx"))
    card = models.ForeignKey(Card, on_delete=models.PROTECT, to_field="public_id", db_index=False)
    merchant_name = models.CharField(max_length=140)
    # In live, the issuer's ID of the payment, booked only once. Earlier releases have none.
    provider_reference = models.CharField(max_length=140, blank=True, default="", db_default="")

    class Meta:
        indexes = disbursement.indexes("purchase", "card")
        constraints = [
            *disbursement.constraints("purchase", "card", "merchant_name", "provider_reference"),
            models.UniqueConstraint(
                fields=["business", "environment", "provider_reference"],
                condition=~Q(provider_reference=""),
                name="a_card_payment_counts_once",
            ),
        ]
