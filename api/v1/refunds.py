"""GET, POST /refunds: return a payment to its payer, in full or in part."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.payments.disbursements import REFUNDS
from api.payments.models import Deposit, Refund
from api.problems import unknown_id
from api.serializers import IdField, ObjectField, ResourceSerializer
from api.v1 import disbursed, filters
from api.v1.examples import accounts as examples
from api.v1.shared_fields import AmountField, money_of
from api.viewsets import ListMixin, RetrieveMixin


class RefundCreateSerializer(StrictSerializer):
    """POST /refunds: the payment and the amount."""

    payment_reference = StrictText(
        max_length=140,
        help_text="The `provider_reference` of the settled deposit to refund.",
    )
    amount = AmountField(
        help_text=(
            "The amount to refund, in the currency of the payment. All refunds together cannot "
            "exceed the payment."
        )
    )
    reason = StrictText(
        max_length=255,
        required=False,
        allow_null=True,
        prose=True,
        help_text="The reason for the refund.",
    )


class RefundSerializer(ResourceSerializer):
    """A refund. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the refund.")
    object = ObjectField("refund")
    status = disbursed.status()
    payment_reference = serializers.CharField(
        help_text="The `provider_reference` of the refunded deposit."
    )
    amount = disbursed.amount()
    currency = disbursed.currency()
    reason = serializers.CharField(allow_null=True, help_text="The reason for the refund.")
    failure = disbursed.failure()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class RefundViewSet(ListMixin, RetrieveMixin):
    """Refunds of payments."""

    product = resource = "refunds"
    queryset = Refund.objects.all()
    serializer_class = RefundSerializer
    query_class = filters.of(Refund, RefundSerializer, "status", "currency", "payment_reference")
    settle_due = REFUNDS.settle_due
    words = "refunds", "refund"
    example = examples.REFUND

    @disbursed.operation(body=RefundCreateSerializer, example=examples.NEW_REFUND)
    def create(self, request: Request) -> Response:
        """Refund a payment in full or in part."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        deposit = Deposit.objects.filter(
            business=self.business,
            environment=self.environment,
            provider_reference=body["payment_reference"],
        ).first()
        if deposit is None:
            raise unknown_id("payment_reference")
        refund = self.new(
            Refund,
            body,
            deposit=deposit,
            amount=money_of(body["amount"], deposit.currency).minor,
            currency=deposit.currency,
        )
        return self.answer(REFUNDS.create(refund, tries=self.claim.tries, by=self.actor))
