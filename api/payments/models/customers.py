"""Customers, identity verifications and sub-accounts of a business."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper

from api.payments.lifecycle import (
    ENDED_SUB_ACCOUNT,
    SUB_ACCOUNT_LIFECYCLE,
    VERIFICATION_LIFECYCLE,
    SubAccountStatus,
    VerificationResult,
    VerificationStatus,
)
from api.payments.models.owned_object import (
    OwnedObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from console.core import ids
from console.core.moves_constraint import MovesConstraint


class CustomerType(models.TextChoices):
    """Type of a customer."""

    INDIVIDUAL = "individual", "Individual"
    BUSINESS = "business", "Business"


class Customer(OwnedObject):
    """A customer as the business describes them, not verified."""

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
        indexes = [
            reading_order("customers"),
            *listed_by("customers", "external_customer_id", "email"),
        ]
        constraints = [
            known_environment("customer"),
            kept("customer"),
            models.CheckConstraint(
                condition=models.Q(customer_type__in=CustomerType.values),
                name="customer_type_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.legal_name


class DocumentType(models.TextChoices):
    """The document type."""

    PASSPORT = "passport", "Passport"
    NATIONAL_ID = "national_id", "National identity card"
    DRIVING_LICENCE = "driving_licence", "Driving licence"
    BANK_VERIFICATION_NUMBER = "bank_verification_number", "Bank verification number"


class IdentityVerification(OwnedObject):
    """An identity verification. Only `number_ends_with` is stored of the number.

    `name` is the customer's legal name at the time; a customer whose name has changed since is not
    confirmed. `settles_at` is when the sandbox completes a pending one.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("idv"))
    # Foreign key to the public ID, so that reading a verification needs no join.
    customer = models.ForeignKey(
        Customer, on_delete=models.PROTECT, to_field="public_id", null=True
    )
    type = models.CharField(max_length=30, choices=DocumentType)
    country = models.CharField(max_length=2)
    number_ends_with = models.CharField(max_length=4)
    name = models.CharField(max_length=140, blank=True)
    status = models.CharField(
        max_length=20, choices=VerificationStatus, default=VerificationStatus.PENDING
    )
    result = models.CharField(max_length=20, choices=VerificationResult, blank=True)
    settles_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["settles_at"],
                condition=Q(status="pending"),
                name="verifications_that_wait",
            ),
        ]
        constraints = [
            known_environment("verification"),
            kept("verification", "customer", "type", "country", "number_ends_with", "name"),
            models.CheckConstraint(
                condition=Q(status="pending", result="", completed_at=None)
                | Q(
                    status="completed",
                    result__in=VerificationResult.values,
                    completed_at__isnull=False,
                ),
                name="a_completed_verification_has_a_result",
            ),
            MovesConstraint(
                arrows=VERIFICATION_LIFECYCLE.arrows(), name="verification_moves_by_the_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_type_display()} of {self.country}, {self.public_id}"

    def audit_details(self) -> dict[str, Any]:
        return {"type": str(self.type), "country": self.country, "result": str(self.result)}


class SubAccount(OwnedObject):
    """A sub-account, identified by its reference and by the e-mail address of its holder."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("sub"))
    email = models.CharField(max_length=254)
    status = models.CharField(
        max_length=20, choices=SubAccountStatus, default=SubAccountStatus.PENDING
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(status=SubAccountStatus.PENDING),
                name="sub_accounts_that_wait",
            )
        ]
        constraints = [
            known_environment("sub_account"),
            kept("sub_account", "email"),
            models.CheckConstraint(
                condition=Q(status__in=SubAccountStatus.values),
                name="sub_account_status_is_known",
            ),
            # Only one open account per address, ignoring case.
            models.UniqueConstraint(
                "business",
                "environment",
                Upper("email"),
                condition=~Q(status__in=ENDED_SUB_ACCOUNT),
                name="one_sub_account_an_address",
            ),
            MovesConstraint(
                arrows=SUB_ACCOUNT_LIFECYCLE.arrows(), name="sub_account_moves_by_the_table"
            ),
        ]
