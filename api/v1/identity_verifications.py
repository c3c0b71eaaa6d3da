"""POST /identity-verifications, GET /identity-verifications/{id}: whether somebody is who is said.

Both take the scope that writes: there is no other, and what is read back is what was asked.
"""

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import identity_verifications
from api.sandbox.lifecycle import VERIFICATION_STATUSES, VerificationResult
from api.sandbox.models import DocumentType, IdentityVerification
from api.v1 import customers
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedStatus, answer_of, sent_metadata
from api.v1.examples import identity_verifications as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import reading_row
from api.v1.shared_fields import CountryField, MetadataField
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace

_PRODUCT, _SCOPE = "identity_verification", "identity_verification:write"


class IdentityVerificationBody(StrictSerializer):
    """POST /identity-verifications: whose document, by its number."""

    type = StrictChoice(choices=DocumentType.values, help_text="What the number is the number of.")
    number = StrictText(
        pattern="[0-9A-Za-z-]{6,30}",
        says="Send 6 to 30 letters, digits and hyphens.",
        help_text="The number of the document. It is asked about, and not kept.",
    )
    country = CountryField(help_text="The country that issued the document.")
    customer_id = StrictText(
        max_length=40,
        required=False,
        help_text="The customer whose document it is. Confirmed, it confirms the legal name that"
        " the customer has at this moment.",
    )
    metadata = MetadataField(required=False)


class IdentityVerificationItem(Described):
    """An identity verification. The number that was asked about is never shown whole."""

    id = serializers.CharField(help_text="The id of the identity verification.")
    object = serializers.ChoiceField(choices=["identity_verification"], help_text="What this is.")
    type = serializers.ChoiceField(
        choices=DocumentType.values, help_text="What the number is the number of."
    )
    number_ends_with = serializers.CharField(
        help_text="The last characters of the number: a third of it, and four at most."
    )
    country = serializers.CharField(help_text="The country that issued the document.")
    customer_id = serializers.CharField(
        allow_null=True, help_text="The customer whose document it is, where one was named."
    )
    status = DescribedStatus(VERIFICATION_STATUSES, help_text="Whether the result is there.")
    result = serializers.ChoiceField(
        choices=VerificationResult.values,
        allow_null=True,
        help_text="`confirmed`; `mismatch` where the document is somebody else’s; `not_found` where"
        " no register knows it. Null while it is pending.",
    )
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you asked for it.")
    completed_at = serializers.DateTimeField(
        allow_null=True, help_text="When the result was there; null before."
    )


RESOURCE = Resource(
    IdentityVerification, IdentityVerificationItem, settle=identity_verifications.settle_due
)


def create(call: Call) -> ApiAnswer:
    """Verify an identity by the number of a document."""
    body = call.body
    refusing.require_none([StatedPlace(body["country"], RestrictionScope.RESIDENCE)])
    require_provider(call)
    named = body.get("customer_id")
    verification = IdentityVerification(
        business=business_of(call),
        environment=call.environment,
        customer=customers.RESOURCE.find(call, named) if named is not None else None,
        **{name: body[name] for name in ("type", "country", "metadata") if name in body},
    )
    return RESOURCE.answer(
        identity_verifications.create(
            verification, body["number"], tries=call.tries, by=key_of(call)
        )
    )


OPERATIONS = [
    Operation(
        "identity_verifications.create",
        "POST",
        "/identity-verifications",
        product=_PRODUCT,
        scope=_SCOPE,
        function=create,
        body=IdentityVerificationBody,
        answer=answer_of(IdentityVerificationItem),
        example=examples.NEW_IDENTITY_VERIFICATION,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    reading_row(
        RESOURCE,
        "/identity-verifications",
        _PRODUCT,
        _SCOPE,
        "identity verification",
        examples.IDENTITY_VERIFICATION,
    ),
]
