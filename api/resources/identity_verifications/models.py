"""IdentityVerification: what a register says about the number of somebody's document."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.sandbox.lifecycle import VERIFICATION_LIFECYCLE, VerificationResult, VerificationStatus
from api.sandbox.models import Customer, OwnedObject
from api.sandbox.models.owned_object import known_environment
from console.core import ids
from console.core.moves import MovesConstraint


class DocumentType(models.TextChoices):
    """What the number is the number of."""

    PASSPORT = "passport", "Passport"
    NATIONAL_ID = "national_id", "National identity card"
    DRIVING_LICENCE = "driving_licence", "Driving licence"
    BANK_VERIFICATION_NUMBER = "bank_verification_number", "Bank verification number"


class IdentityVerification(OwnedObject):
    """The number itself is kept nowhere: `number_ends_with` is all that is left of it.

    `name` is the legal name that the customer had when it was asked; a customer who is called
    otherwise since has not been confirmed. `settles_at` is when the sandbox does what waits.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("idv"))
    # Named by its public id, so that reading a verification joins nothing.
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
