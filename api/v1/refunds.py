"""GET, POST /refunds: money of a payment that goes back to its payer."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText
from api.problems import ApiProblem
from api.sandbox.disbursements import REFUNDS
from api.sandbox.models import Deposit, Refund
from api.serializers import IdField, ObjectField, ResourceSerializer
from api.v1 import disbursed
from api.v1.examples import accounts as examples
from api.v1.shared_fields import AmountField, money_in
from api.viewsets import ListMixin, RetrieveMixin, operation


class RefundBody(StrictSerializer):
    """POST /refunds: of which payment, and how much."""

    payment_reference = StrictText(
        max_length=140,
        help_text="The `provider_reference` of the settled deposit that was paid.",
    )
    amount = AmountField(
        help_text="How much goes back, in the currency of the payment. All refunds of a payment"
        " together are at most what was paid."
    )
    reason = StrictText(max_length=255, required=False, prose=True, help_text="Why it goes back.")


class RefundItem(ResourceSerializer):
    """A refund. `failure` is there once it has failed."""

    id = IdField(help_text="The id of the refund.")
    object = ObjectField("refund")
    status = disbursed.status()
    payment_reference = serializers.CharField(
        help_text="The `provider_reference` of the deposit that was paid."
    )
    amount = disbursed.amount()
    currency = disbursed.currency()
    reason = serializers.CharField(allow_null=True, help_text="Why it goes back.")
    failure = disbursed.failure()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class Refunds(ListMixin, RetrieveMixin):
    """Money of a payment that goes back to its payer."""

    product = resource = "refunds"
    queryset = Refund.objects.all()
    serializer_class = RefundItem
    settle_due = REFUNDS.settle_due
    words = "refunds", "refund"
    example = examples.REFUND

    @operation(
        body=RefundBody,
        status=201,
        codes=["INSUFFICIENT_BALANCE"],
        financial=True,
        example=examples.NEW_REFUND,
    )
    def create(self, request: Request) -> Response:
        """Give a payment back, whole or in part."""
        deposit = Deposit.objects.filter(
            business=self.business,
            environment=self.environment,
            provider_reference=self.body["payment_reference"],
        ).first()
        if deposit is None:
            raise ApiProblem("NOT_FOUND")
        refund = self.new(
            Refund,
            deposit=deposit,
            amount=money_in(deposit.currency, self.body["amount"]).minor,
            currency=deposit.currency,
            **self.given("payment_reference", "reason"),
        )
        return self.answer(REFUNDS.create(refund, tries=self.tries, by=self.actor))
