"""GET /financing: the credit that a business is offered."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.sandbox import financing
from api.serializers import (
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1.examples import financing as examples
from api.validation import NoQuery
from api.viewsets import ResourceViewSet, operation


class FinancingItem(ResourceSerializer):
    """Credit that the business is offered today."""

    id = serializers.CharField(help_text="The id of the offer.")
    object = ObjectField("financing_offer")
    currency = SentCurrencyField(help_text="The currency.")
    limit = SentAmountField(help_text="How much can be had, as a decimal text.")
    fee = SentAmountField(help_text="What the whole of it costs, as a decimal text.")
    term_days = serializers.IntegerField(help_text="Days until it is paid back.")


class FinancingOffers(ResourceViewSet):
    """The credit that a business is offered."""

    product = resource = "financing"
    serializer_class = FinancingItem
    example = examples.FINANCING

    @operation(many=True, query=NoQuery)
    def list(self, request: Request) -> Response:
        """List the credit that the business is offered today."""
        found = financing.available(self.grant.tier)
        return pagination.whole(self.get_serializer(found, many=True).data)
