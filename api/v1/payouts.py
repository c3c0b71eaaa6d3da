"""POST /payouts, GET /payouts, GET /payouts/{id}: payments to bank accounts."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictText
from api.payments import corridors
from api.payments.disbursements import PAYOUTS
from api.payments.models import Payout
from api.serializers import IdField, ObjectField, ResourceSerializer, SentMetadataField
from api.v1 import disbursed, filters
from api.v1.examples import payouts as examples
from api.v1.shared_fields import BankAccountSerializer, MetadataField, MoneySerializer
from api.v1.shared_serializers import SentBankAccountSerializer
from api.viewsets import ListMixin, RetrieveMixin


class PayoutCreateSerializer(MoneySerializer):
    """POST /payouts: the amount and the recipient."""

    bank_account = BankAccountSerializer(help_text="The recipient’s bank account.")
    reference = StrictText(
        max_length=140, required=False, help_text="The reference that the recipient’s bank sees."
    )
    metadata = MetadataField(required=False)


class PayoutSerializer(ResourceSerializer):
    """A payment from a balance to a bank account."""

    id = IdField(help_text="The id of the payout.")
    object = ObjectField("payout")
    status = disbursed.status(help_text="Whether the money is reserved, sent or returned.")
    amount = disbursed.amount()
    currency = disbursed.currency()
    fee = disbursed.fee()
    bank_account = SentBankAccountSerializer(help_text="The recipient’s bank account.")
    reference = serializers.CharField(
        allow_blank=True, help_text="The reference that the recipient’s bank sees."
    )
    failure_reason = serializers.CharField(
        source="failure_code", allow_null=True, help_text="The code of `failure`, or null."
    )
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class PayoutViewSet(ListMixin, RetrieveMixin):
    """Payments from a balance to bank accounts."""

    product = resource = "payouts"
    queryset = Payout.objects.all()
    serializer_class = PayoutSerializer
    query_class = filters.of(Payout, PayoutSerializer, "status", "currency", "reference")
    settle_due = PAYOUTS.settle_due
    words = "payouts", "payout"
    example = examples.PAYOUT

    @disbursed.operation(body=PayoutCreateSerializer, example=examples.NEW_PAYOUT)
    def create(self, request: Request) -> Response:
        """Pay out from a balance to a bank account."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        money = body["money"]
        country = body["bank_account"]["country"]
        corridors.require(money, country, self.business.pk, self.grant.tier)
        payout = self.new(
            Payout,
            body,
            amount=money.minor,
            currency=money.currency,
        )
        return self.answer(PAYOUTS.create(payout, tries=self.claim.tries, by=self.actor))
