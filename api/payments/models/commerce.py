"""What a business sells and buys: orders, stock, digital services and flights."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from api.payments.models import disbursement
from api.payments.models.checkout import CheckoutSession
from api.payments.models.disbursement import Disbursement
from api.payments.models.ledger import EntryType
from api.payments.models.owned_object import (
    MoneyObject,
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from console.core import ids
from console.core.frozen import NeverChanges
from onboarding import application_facts


class Order(MoneyObject):
    """An immutable order, paid by its checkout session. A reference has one order.

    `is_first` is null in orders from before that rule.
    """

    # Payment methods on its page.
    CHANNELS: ClassVar = ("bank_transfer",)

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ord"))
    session = models.OneToOneField(CheckoutSession, on_delete=models.PROTECT, related_name="order")
    reference = models.CharField(max_length=140)
    description = models.CharField(max_length=500, blank=True)
    customer = models.JSONField()
    is_first = models.BooleanField(null=True, default=True)

    class Meta:
        constraints = [
            known_environment("order"),
            models.UniqueConstraint(
                fields=["business", "environment", "reference"],
                condition=Q(is_first=True),
                name="one_order_of_a_reference",
            ),
            models.CheckConstraint(
                condition=models.Q(amount__gt=0), name="an_order_asks_for_something"
            ),
            NeverChanges(name="orders_never_change"),
        ]

    @property
    def recipient_name(self) -> str:
        """The payee: the registered name of the business."""
        return application_facts.legal_name(self.business)

    @property
    def url(self) -> str:
        """URL of its payment page."""
        return self.session.checkout_url


class InventoryItem(OwnedObject):
    """`available` items can be reserved; `reserved` items are promised but still in stock."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("itm"))
    name = models.CharField(max_length=140)
    sku = models.CharField(max_length=140, blank=True)
    available = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)

    class Meta:
        indexes = [reading_order("stock"), *listed_by("stock", "sku")]
        constraints = [
            known_environment("inventory_item"),
            kept("inventory_item"),
            models.CheckConstraint(
                condition=Q(available__gte=0, reserved__gte=0), name="stock_is_never_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def audit_details(self) -> dict[str, Any]:
        return {"available": self.available, "reserved": self.reserved}


class ServiceOrder(Disbursement):
    """A disbursement for a digital service; its service ID is kept when the catalogue changes."""

    TYPE = EntryType.DIGITAL_SERVICE
    FAILURE = "rejected_by_supplier"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("dso"))
    service_id = models.CharField(max_length=40)
    recipient = models.CharField(max_length=30)

    class Meta:
        indexes = [disbursement.waiting("service_order")]
        constraints = disbursement.constraints("service_order", "service_id", "recipient")

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"service": self.service_id}


class FlightBooking(Disbursement):
    """A disbursement for seats of an offer. `flight` is a copy of the offer's flight details."""

    TYPE = EntryType.FLIGHT
    FAILURE = "rejected_by_supplier"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("fbk"))
    offer_id = models.CharField(max_length=80)
    flight = models.JSONField()
    passengers = models.JSONField()

    class Meta:
        indexes = [disbursement.waiting("flight_booking")]
        constraints = disbursement.constraints("flight_booking", "offer_id", "flight", "passengers")

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {
            "offer": self.offer_id,
            "passengers": len(self.passengers),
        }
