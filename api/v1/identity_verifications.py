"""POST /identity-verifications, GET /identity-verifications/{id}: verify an identity.

Both need the write scope. There is no read scope, because reading returns only what was requested.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import identity_verifications, restricted_places
from api.payments.lifecycle import VERIFICATION_STATUSES, VerificationResult
from api.payments.models import Customer, DocumentType, IdentityVerification
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentMetadataField,
    StatusField,
)
from api.v1.examples import identity_verifications as examples
from api.v1.restricted_members import refuse_restricted
from api.v1.shared_fields import CountryField, MetadataField
from api.viewsets import ResourceViewSet, operation


class IdentityVerificationCreateSerializer(StrictSerializer):
    """POST /identity-verifications: the document and its number."""

    type = StrictChoice(choices=DocumentType.values, help_text="The document type.")
    number = StrictText(
        pattern="[0-9A-Za-z-]{6,30}",
        says="Send 6 to 30 letters, digits and hyphens.",
        help_text="The number of the document. We check it and do not store it.",
    )
    country = CountryField(help_text="The country that issued the document.")
    customer_id = StrictText(
        max_length=40,
        required=False,
        allow_null=True,
        help_text=(
            "The ID of the customer. A confirmed check also confirms the customer’s current legal "
            "name."
        ),
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refuse_restricted(restricted_places.residence_places(attrs["country"]))
        return attrs


class IdentityVerificationSerializer(ResourceSerializer):
    """An identity verification. We never show the full document number."""

    id = IdField(help_text="The id of the identity verification.")
    object = ObjectField("identity_verification")
    type = serializers.ChoiceField(choices=DocumentType.values, help_text="The document type.")
    number_ends_with = serializers.CharField(
        help_text="The last characters of the number: a third of it, at most four."
    )
    country = serializers.CharField(help_text="The country that issued the document.")
    customer_id = serializers.CharField(
        allow_null=True, help_text="The ID of the customer, if you sent it."
    )
    status = StatusField(VERIFICATION_STATUSES, help_text="Whether the check has a result.")
    result = serializers.ChoiceField(
        choices=VerificationResult.values,
        allow_null=True,
        help_text=(
            "`confirmed`, `mismatch` if the document belongs to somebody else, or `not_found` if "
            "no register has it. Null while pending."
        ),
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you requested it.")
    completed_at = serializers.DateTimeField(
        allow_null=True, help_text="When the result arrived, or null."
    )


class IdentityVerificationViewSet(ResourceViewSet):
    """Identity verifications."""

    product = "identity_verification"
    resource = "identity_verifications"
    queryset = IdentityVerification.objects.all()
    serializer_class = IdentityVerificationSerializer
    settle_due = staticmethod(identity_verifications.settle_due)
    words = "identity verifications", "identity verification"
    example = examples.IDENTITY_VERIFICATION

    @operation(
        body=IdentityVerificationCreateSerializer,
        status=201,
        example=examples.NEW_IDENTITY_VERIFICATION,
    )
    def create(self, request: Request) -> Response:
        """Verify an identity by the number of a document."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        customer = None
        if "customer_id" in body:
            customer = self.find_named(Customer.objects.all(), "customer_id", body)
        verification = self.new(
            IdentityVerification,
            body,
            customer=customer,
        )
        return self.answer(
            identity_verifications.create(
                verification, body["number"], tries=self.claim.tries, by=self.actor
            )
        )

    @operation(scope="identity_verification:write")
    def retrieve(self, request: Request) -> Response:
        """Read one {1}."""
        self.settle()
        return self.answer(self.get_object())
