"""GET /merchant: the business as its payers and the merchant hub know it."""

from rest_framework import serializers

from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox.currencies import held_currencies
from api.v1.described import Described, answer_of
from api.v1.examples import merchant as examples
from apikeys.lifecycle import Environment
from console.core import clock
from onboarding import application_facts


class MerchantItem(Described):
    """The profile of the merchant hub."""

    id = serializers.CharField(help_text="The id of the business.")
    object = serializers.ChoiceField(choices=["merchant"], help_text="What this is.")
    legal_name = serializers.CharField(help_text="Its registered name.")
    status = serializers.CharField(help_text="`active` while its calls are served.")
    environment = serializers.ChoiceField(
        choices=Environment.values, help_text="Where the rest of the profile holds."
    )
    currencies = serializers.ListField(
        child=serializers.CharField(), help_text="The currencies and assets that it can hold."
    )
    products = serializers.ListField(
        child=serializers.CharField(), help_text="The products that are on for it."
    )
    created_at = serializers.DateTimeField(help_text="When it was registered here.")


def merchant(call: Call) -> ApiAnswer:
    """Read the profile of the merchant hub."""
    business = call.business
    return ApiAnswer(
        {
            "id": business.public_id,
            "object": "merchant",
            "legal_name": application_facts.legal_name(business),
            "status": business.status,
            "environment": call.environment,
            "currencies": held_currencies(business.pk),
            "products": call.grant.products,
            "created_at": clock.iso(business.created_at),
        }
    )


OPERATIONS = [
    Operation(
        "merchant.read",
        "GET",
        "/merchant",
        product="merchant",
        scope="merchant:read",
        function=merchant,
        answer=answer_of(MerchantItem),
        example=examples.MERCHANT,
    )
]
