"""GET, POST /conversions, GET /conversions/{id}: convert money of one balance into another."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.payments.disbursements import CONVERSIONS
from api.payments.models import Conversion, Quote
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
)
from api.v1 import disbursed, filters
from api.v1.examples import exchange as examples
from api.v1.shared_fields import MetadataField
from api.viewsets import ListMixin, RetrieveMixin


class ConversionCreateSerializer(StrictSerializer):
    """POST /conversions: the quote."""

    quote_id = StrictText(
        max_length=40, help_text="The ID of a quote that has not expired or been used."
    )
    metadata = MetadataField(required=False)


class ConversionSerializer(ResourceSerializer):
    """A conversion. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the conversion.")
    object = ObjectField("conversion")
    status = disbursed.status(help_text="Whether the money is reserved, converted or returned.")
    quote_id = serializers.CharField(help_text="The ID of the quote used.")
    # `from` is a keyword and cannot be an attribute.
    vars()["from"] = SentCurrencyField(
        source="currency", help_text="The currency or asset that you sell."
    )
    to = SentCurrencyField(source="to_currency", help_text="The currency or asset that you buy.")
    from_amount = SentAmountField(
        "from", source="amount", help_text="The amount that you sell, as a decimal string."
    )
    to_amount = SentAmountField("to", help_text="The amount that you buy, as a decimal string.")
    rate = serializers.CharField(help_text="The rate of the quote.")
    fee = disbursed.fee(
        help_text="The fee in addition to the amount, in the currency `from`.", of="from"
    )
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at(help_text="When both balances were updated, or null.")


class ConversionViewSet(ListMixin, RetrieveMixin):
    """Conversions between balances."""

    product = resource = "conversions"
    queryset = Conversion.objects.all()
    serializer_class = ConversionSerializer
    query_class = filters.of(Conversion, ConversionSerializer, "status", "from", "to", "quote_id")
    settle_due = CONVERSIONS.settle_due
    words = "conversions", "conversion"
    example = examples.CONVERSION

    @disbursed.operation(
        body=ConversionCreateSerializer,
        codes=["QUOTE_EXPIRED", "INSUFFICIENT_BALANCE"],
        example=examples.NEW_CONVERSION,
    )
    def create(self, request: Request) -> Response:
        """Convert money from one balance to another at the rate of a quote."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        quote = self.find_named(Quote.objects.all(), "quote_id", serializer.validated_data)
        conversion = self.new(
            Conversion,
            serializer.validated_data,
            quote=quote,
            amount=quote.from_amount,
            currency=quote.from_currency,
            to_amount=quote.to_amount,
            to_currency=quote.to_currency,
            rate=quote.rate,
        )
        return self.answer(CONVERSIONS.create(conversion, tries=self.claim.tries, by=self.actor))
