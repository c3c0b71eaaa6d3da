"""GET /transfers/corridors, GET, POST /transfers: send money to beneficiaries."""

from decimal import ROUND_FLOOR

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api import pagination
from api.fields import StrictText, any_of
from api.payments import corridors, exchange_rates, restricted_places
from api.payments.disbursements import TRANSFERS
from api.payments.models import Beneficiary, Quote, Transfer
from api.problems import Fault, invalid
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
    page_of,
)
from api.v1 import disbursed, filters
from api.v1.examples import remittance as examples
from api.v1.shared_fields import (
    CountryField,
    CurrencyField,
    MetadataField,
    MoneySerializer,
    require_holdable,
)
from api.validation import QuerySerializer
from api.viewsets import ListMixin, RetrieveMixin, operation


class CorridorSerializer(ResourceSerializer):
    """A corridor that is open to your business now."""

    object = ObjectField("corridor")
    source_currency = SentCurrencyField(help_text="The currency of the balance that pays for it.")
    destination_country = serializers.CharField(
        source="end.country", help_text="The destination country."
    )
    destination_currency = serializers.CharField(
        source="end.currency", help_text="The currency that the recipient receives."
    )
    rails = serializers.ListField(
        source="end.rails",
        child=serializers.ChoiceField(choices=["bank", "mobile_money", "wallet"]),
        help_text="The available payment methods.",
    )
    min_amount = SentAmountField(
        "source_currency", source="least", help_text="The minimum amount, in the source currency."
    )
    max_amount = SentAmountField(
        "source_currency", source="most", help_text="The maximum amount, in the source currency."
    )
    delivery_estimate = serializers.CharField(
        source="end.delivery_estimate", help_text="The usual duration."
    )


class CorridorQuerySerializer(QuerySerializer):
    """GET /transfers/corridors: all, or only some countries and currencies."""

    destination_country = any_of(CountryField(), "Only to these countries.")
    destination_currency = any_of(CurrencyField(), "Only those that pay out this currency.")
    source_currency = any_of(CurrencyField(), "Only those that are paid for in this currency.")


class TransferCreateSerializer(MoneySerializer):
    """POST /transfers: the amount and the beneficiary."""

    beneficiary_id = StrictText(max_length=40, help_text="The id of the beneficiary.")
    quote_id = StrictText(
        max_length=40,
        required=False,
        allow_null=True,
        help_text=(
            "The ID of a quote for this amount, to the currency of the beneficiary. We use its "
            "rate. Without a quote we use the rate of the day."
        ),
    )
    reference = StrictText(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="The reference that the recipient sees.",
    )
    metadata = MetadataField(required=False)


class TransferSerializer(ResourceSerializer):
    """A transfer. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the transfer.")
    object = ObjectField("transfer")
    status = disbursed.status()
    amount = disbursed.amount()
    currency = disbursed.currency()
    fee = disbursed.fee()
    beneficiary_id = serializers.CharField(help_text="The ID of the beneficiary.")
    quote_id = serializers.CharField(
        allow_null=True, help_text="The ID of the quote used, or null."
    )
    rate = serializers.CharField(
        allow_null=True, help_text="The rate of the quote or of the day. Null within one currency."
    )
    destination_currency = SentCurrencyField(help_text="The currency that the recipient receives.")
    destination_amount = SentAmountField(
        "destination_currency",
        allow_null=True,
        help_text="The amount that the recipient receives at this rate. Null within one currency.",
    )
    reference = serializers.CharField(
        allow_null=True, help_text="The reference that the recipient sees."
    )
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class TransferViewSet(ListMixin, RetrieveMixin):
    """Transfers to beneficiaries along open corridors."""

    product = "remittance"
    resource = scope = "transfers"
    queryset = Transfer.objects.all()
    serializer_class = TransferSerializer
    query_class = filters.of(
        Transfer,
        TransferSerializer,
        "status",
        "currency",
        "reference",
        "beneficiary_id",
        "quote_id",
    )
    settle_due = TRANSFERS.settle_due
    words = "transfers", "transfer"
    example = examples.TRANSFER

    @disbursed.operation(
        body=TransferCreateSerializer,
        codes=["QUOTE_EXPIRED", "INSUFFICIENT_BALANCE"],
        example=examples.NEW_TRANSFER,
    )
    def create(self, request: Request) -> Response:
        """Transfer money from a balance to a beneficiary."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        money = body["money"]
        named = self.find_all_named(
            {"beneficiary_id": Beneficiary.objects.all(), "quote_id": Quote.objects.all()}, body
        )
        to = named["beneficiary_id"]
        # It may have been restricted since it was stored.
        restricted_places.require_unrestricted_beneficiary(to)
        corridors.require(
            money,
            to.country,
            self.business.pk,
            self.grant.tier,
            currency=to.currency,
            destination="beneficiary_id",
        )
        transfer = self.new(
            Transfer,
            body,
            amount=money.minor,
            currency=money.currency,
            beneficiary=to,
            destination_currency=to.currency,
        )
        if "quote_id" in body:
            _bind(transfer, named["quote_id"])
        elif transfer.currency != transfer.destination_currency:
            _price(transfer)
        return self.answer(TRANSFERS.create(transfer, tries=self.claim.tries, by=self.actor))

    @action(detail=False)
    @operation(
        answer=page_of(CorridorSerializer),
        query=CorridorQuerySerializer,
        of_provider=True,
        example=examples.CORRIDORS,
    )
    def corridors(self, request: Request) -> Response:
        """List the corridors that are open to your business now."""
        found = CorridorSerializer(
            corridors.available(self.business.pk, self.grant.tier), many=True
        ).data
        asked = [(name, values) for name, values in self.parameters.items() if values]
        rows = [row for row in found if all(row[name] in values for name, values in asked)]
        return pagination.whole(rows)


def _price(transfer: Transfer) -> None:
    """Set the current rate of a transfer to another currency, or refuse one that rounds to zero."""
    rate = exchange_rates.current().between(transfer.currency, transfer.destination_currency)
    arrives = rate.convert(transfer.money, ROUND_FLOOR)
    require_holdable(arrives)
    transfer.rate, transfer.destination_amount = rate.text, arrives.minor


def _bind(transfer: Transfer, quote: Quote) -> None:
    """Apply a quote to a transfer. Raises an error if it is for something else."""
    agrees = {
        "currency": transfer.currency == quote.from_currency,
        "amount": transfer.amount == quote.from_amount,
        "beneficiary_id": transfer.destination_currency == quote.to_currency,
    }
    said = "The quote does not match this transfer. Send the quoted values or request a new quote."
    if not all(agrees.values()):
        raise invalid(
            *[Fault(f"/{n}", "not_as_quoted", said) for n, good in agrees.items() if not good]
        )
    transfer.quote, transfer.rate = quote, quote.rate
    transfer.destination_amount = quote.to_amount
