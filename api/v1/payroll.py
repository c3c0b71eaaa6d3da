"""GET, POST /payroll/runs: pay many people on one day."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText, mistake_at
from api.payments import corridors
from api.payments.disbursements import PAYROLL_RUNS
from api.payments.models import PayrollRun
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentMetadataField,
)
from api.v1 import disbursed, filters
from api.v1.examples import payroll as examples
from api.v1.shared_fields import (
    AmountField,
    BankAccountSerializer,
    CurrencyField,
    DayField,
    MetadataField,
    is_holdable,
    money_of,
)
from api.v1.shared_serializers import SentBankAccountSerializer
from api.viewsets import ListMixin, RetrieveMixin
from console.core.money import Money

_MOST_ITEMS = 500
_DAYS_AHEAD = 366


class PayrollItemCreateSerializer(StrictSerializer):
    """One person’s pay."""

    amount = AmountField(help_text="The amount, above zero.")
    bank_account = BankAccountSerializer(help_text="The person’s bank account.")
    reference = StrictText(
        max_length=140, required=False, help_text="The reference that the person’s bank sees."
    )


class PayrollRunCreateSerializer(StrictSerializer):
    """POST /payroll/runs: the people, the payment date and the balance."""

    pay_date = DayField(
        ahead=range(_DAYS_AHEAD + 1),
        help_text=f"The payment date, in UTC: today or at most {_DAYS_AHEAD} days ahead. We reserve"
        " the money until then and pay on that date.",
    )
    currency = CurrencyField(help_text="The currency of the balance that pays for it.")
    items = PayrollItemCreateSerializer(  # type: ignore[call-arg]  # of the list that `many` makes
        many=True,
        allow_empty=False,
        max_length=_MOST_ITEMS,
        help_text=f"The people to pay, 1 to {_MOST_ITEMS}. We pay either all of them or none.",
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        total = Money(sum(one.minor for one in _moneys(attrs)), attrs["currency"])
        if not is_holdable(total):
            said = "The total is more than a balance can hold."
            raise mistake_at("items", "out_of_range", said)
        return attrs | {"money": total}


class PayrollItemSerializer(ResourceSerializer):
    """One person’s pay, as you sent it."""

    amount = SentAmountField("", help_text="The amount, as a decimal string.")
    bank_account = SentBankAccountSerializer(help_text="The person’s bank account.")
    reference = serializers.CharField(
        required=False, help_text="The reference that the person’s bank sees, if you sent it."
    )


class PayrollRunSerializer(ResourceSerializer):
    """A payroll run. Contains `failure` if it failed and nobody was paid."""

    id = IdField(help_text="The id of the payroll run.")
    object = ObjectField("payroll_run")
    status = disbursed.status(
        help_text="Whether the money is reserved until the payment date, sent or returned."
    )
    pay_date = serializers.DateField(help_text="The payment date.")
    amount = disbursed.amount(
        help_text="The total of all items. In the sandbox this amount chooses the outcome."
    )
    currency = disbursed.currency()
    fee = disbursed.fee()
    items = PayrollItemSerializer(many=True, help_text="The people to pay.")
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class PayrollRunSummarySerializer(PayrollRunSerializer):
    """A payroll run without its items, whose size has no place in an event."""

    items = None  # type: ignore[assignment]  # removes the field


class PayrollRunViewSet(ListMixin, RetrieveMixin):
    """Payroll runs, which pay many people on one day."""

    product = "payroll"
    resource = "payroll_runs"
    queryset = PayrollRun.objects.all()
    serializer_class = PayrollRunSerializer
    query_class = filters.of(PayrollRun, PayrollRunSerializer, "status", "currency")
    settle_due = PAYROLL_RUNS.settle_due
    words = "payroll runs", "payroll run"
    example = examples.PAYROLL_RUN

    @disbursed.operation(body=PayrollRunCreateSerializer, example=examples.NEW_PAYROLL_RUN)
    def create(self, request: Request) -> Response:
        """Pay many people on one day. Either all are paid or nobody is."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        paid: dict[tuple[Money, str], str] = {}
        for number, money in enumerate(_moneys(body)):
            country = body["items"][number]["bank_account"]["country"]
            paid.setdefault((money, country), f"items/{number}/")
        corridors.require_each(paid, self.business.pk, self.grant.tier)
        run = self.new(
            PayrollRun,
            body,
            amount=body["money"].minor,
        )
        return self.answer(PAYROLL_RUNS.create(run, tries=self.claim.tries, by=self.actor))


def _moneys(attrs: dict[str, Any]) -> list[Money]:
    """Return each person's amount. Raises the errors in the amounts, each at its item."""
    found: list[Money] = []
    wrong: dict[str, Any] = {}
    for number, item in enumerate(attrs["items"]):
        try:
            found.append(money_of(item["amount"], attrs["currency"]))
        except serializers.ValidationError as error:
            wrong[str(number)] = error.detail
    if wrong:
        raise serializers.ValidationError({"items": wrong})
    return found
