"""GET /financing: credit offers for a business."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.payments import financing
from api.serializers import (
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
)
from api.v1.examples import financing as examples
from api.validation import QuerySerializer
from api.viewsets import ResourceViewSet, operation


class FinancingOfferSerializer(ResourceSerializer):
    """A credit offer for your business today."""

    id = serializers.CharField(help_text="The id of the offer.")
    object = ObjectField("financing_offer")
    currency = SentCurrencyField(help_text="The currency.")
    limit = SentAmountField(help_text="The maximum credit, as a decimal string.")
    fee = SentAmountField(help_text="The fee for the full amount, as a decimal string.")
    term_days = serializers.IntegerField(help_text="The number of days until repayment.")


class FinancingOfferViewSet(ResourceViewSet):
    """Credit offers for the business."""

    product = resource = "financing"
    serializer_class = FinancingOfferSerializer
    example = examples.FINANCING

    @operation(many=True, query=QuerySerializer, of_provider=True)
    def list(self, request: Request) -> Response:
        """List today’s credit offers for your business."""
        found = financing.available(self.grant.tier)
        return pagination.whole(self.get_serializer(found, many=True).data)
