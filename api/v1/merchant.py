"""GET /merchant: the business as payers and the merchant hub see it."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.payments.currencies import held_currencies
from api.serializers import IdField, ObjectField, ResourceSerializer
from api.v1.examples.merchant import MERCHANT
from api.viewsets import ResourceViewSet, operation
from apikeys.lifecycle import Environment
from onboarding import application_facts


class MerchantSerializer(ResourceSerializer):
    """The profile of the merchant hub."""

    id = IdField(help_text="The id of the business.")
    object = ObjectField("merchant")
    legal_name = serializers.CharField(help_text="The registered name of the business.")
    status = serializers.CharField(help_text="`active` while we accept its calls.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="The environment of the profile."
    )
    currencies = serializers.ListField(
        child=serializers.CharField(),
        help_text="The currencies and assets that the business can hold.",
    )
    products = serializers.ListField(
        child=serializers.CharField(), help_text="The products enabled for the business."
    )
    created_at = serializers.DateTimeField(help_text="When the business registered.")


class MerchantViewSet(ResourceViewSet):
    """The business as payers and the merchant hub see it."""

    product = resource = "merchant"
    needs_provider = False
    serializer_class = MerchantSerializer

    @operation(verb="read", example=MERCHANT)
    def list(self, request: Request) -> Response:
        """Read the profile of the merchant hub."""
        business = self.business
        profile = {
            "public_id": business.public_id,
            "legal_name": application_facts.legal_name(business),
            "status": business.status,
            "environment": self.environment,
            "currencies": held_currencies(business.pk),
            "products": self.grant.products,
            "created_at": business.created_at,
        }
        return self.answer(profile)
