"""Customer: a person or company that a business deals with."""

from django.db import models

from api.sandbox.models import OwnedObject
from api.sandbox.models.owned_object import known_environment, reading_order
from console.core import ids


class CustomerType(models.TextChoices):
    """What a customer is."""

    INDIVIDUAL = "individual", "Individual"
    BUSINESS = "business", "Business"


class Customer(OwnedObject):
    """What the business says of its customer; nothing of it is checked here."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("cus"))
    external_customer_id = models.CharField(max_length=140, blank=True)
    customer_type = models.CharField(
        max_length=10, choices=CustomerType, default=CustomerType.INDIVIDUAL
    )
    legal_name = models.CharField(max_length=140)
    first_name = models.CharField(max_length=70, blank=True)
    last_name = models.CharField(max_length=70, blank=True)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=2, blank=True)
    address = models.JSONField(default=dict)
    date_of_birth = models.DateField(null=True)

    class Meta:
        indexes = [reading_order("customers")]
        constraints = [
            known_environment("customer"),
            models.CheckConstraint(
                condition=models.Q(customer_type__in=CustomerType.values),
                name="customer_type_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.legal_name
