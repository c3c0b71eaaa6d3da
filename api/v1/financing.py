"""GET /financing: the credit that a business is offered."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import financing
from api.v1.described import Described, DescribedAmount, page_of
from api.v1.examples import financing as examples
from api.v1.resource import require_provider
from console.core.money import CURRENCIES


class FinancingItem(Described):
    """Credit that the business is offered today."""

    id = serializers.CharField(help_text="The id of the offer.")
    object = serializers.ChoiceField(choices=["financing_offer"], help_text="What this is.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency.")
    limit = DescribedAmount("currency", help_text="How much can be had, as a decimal text.")
    fee = DescribedAmount("currency", help_text="What the whole of it costs, as a decimal text.")
    term_days = serializers.IntegerField(help_text="Days until it is paid back.")


def list_offers(call: Call) -> ApiAnswer:
    """List the credit that the business is offered today."""
    require_provider(call)
    return pages.whole(
        [
            {
                "id": one.id,
                "object": "financing_offer",
                "currency": one.currency,
                "limit": one.limit,
                "fee": one.fee,
                "term_days": one.term_days,
            }
            for one in financing.available(call.grant.tier)
        ]
    )


OPERATIONS = [
    Operation(
        "financing.list",
        "GET",
        "/financing",
        product="financing",
        scope="financing:read",
        function=list_offers,
        answer=page_of(FinancingItem),
        example=examples.FINANCING,
        codes=("NO_PROVIDER_ENABLED",),
    )
]
