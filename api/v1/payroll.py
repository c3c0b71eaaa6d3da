"""GET, POST /payroll/runs: what many people are paid on one day."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer, StrictText, mistake
from api.sandbox import corridors
from api.sandbox.disbursements import PAYROLL_RUNS
from api.sandbox.models import PayrollRun
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentMetadataField,
)
from api.v1 import disbursed
from api.v1.examples import payroll as examples
from api.v1.shapes import SentBankAccount
from api.v1.shared_fields import (
    AmountField,
    BankAccountSerializer,
    CurrencyField,
    DayField,
    MetadataField,
    is_holdable,
    money_of,
)
from api.viewsets import ListMixin, RetrieveMixin, operation
from console.core import clock
from console.core.money import Money

_MOST_ITEMS = 500
_DAYS_AHEAD = 366


class PayrollItemBody(StrictSerializer):
    """One person's pay."""

    amount = AmountField(help_text="What the person is paid, above zero.")
    bank_account = BankAccountSerializer(help_text="Where the pay goes.")
    reference = StrictText(
        max_length=140, required=False, help_text="What the person’s bank is told."
    )


class PayrollRunBody(StrictSerializer):
    """POST /payroll/runs: whom to pay, when, and out of which balance."""

    pay_date = DayField(
        help_text=f"The day of payment, in UTC, at most {_DAYS_AHEAD} days ahead. When it has come,"
        " the run is paid at once; until then the money is reserved."
    )
    currency = CurrencyField(help_text="The currency of the balance that pays.")
    items = PayrollItemBody(  # type: ignore[call-arg]  # of the list that `many` makes
        many=True,
        allow_empty=False,
        max_length=_MOST_ITEMS,
        help_text=f"Whom to pay: 1 to {_MOST_ITEMS}. All are paid, or none.",
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["pay_date"] > clock.now().date() + timedelta(days=_DAYS_AHEAD):
            said = f"Send a day that is at most {_DAYS_AHEAD} days ahead."
            raise serializers.ValidationError({"pay_date": mistake("out_of_range", said).detail})
        total = Money(sum(one.minor for one in _moneys(attrs)), attrs["currency"])
        if not is_holdable(total):
            said = "Together this is more than a balance can hold."
            raise serializers.ValidationError({"items": mistake("out_of_range", said).detail})
        return attrs | {"money": total}


class PayrollItemShape(ResourceSerializer):
    """One person's pay, as it was sent."""

    amount = SentAmountField("", help_text="What the person is paid, as a decimal text.")
    bank_account = SentBankAccount(help_text="Where the pay goes.")
    reference = serializers.CharField(
        required=False, help_text="What the person’s bank is told, where it was sent."
    )


class PayrollRunItem(ResourceSerializer):
    """A payroll run. `failure` is there once it has failed: then nobody was paid."""

    id = IdField(help_text="The id of the payroll run.")
    object = ObjectField("payroll_run")
    status = disbursed.status(
        help_text="Where the money is: reserved until the day of payment, gone, or back."
    )
    pay_date = serializers.DateField(help_text="The day of payment.")
    amount = disbursed.amount(
        help_text="What all items come to. In the sandbox it chooses what happens."
    )
    currency = disbursed.currency()
    fee = disbursed.fee()
    items = PayrollItemShape(many=True, help_text="Who is paid.")
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


class PayrollRuns(ListMixin, RetrieveMixin):
    """What many people are paid on one day."""

    product = "payroll"
    resource = "payroll_runs"
    queryset = PayrollRun.objects.all()
    serializer_class = PayrollRunItem
    settle_due = PAYROLL_RUNS.settle_due
    words = "payroll runs", "payroll run"
    example = examples.PAYROLL_RUN

    @operation(
        body=PayrollRunBody,
        status=201,
        codes=["INSUFFICIENT_BALANCE"],
        financial=True,
        example=examples.NEW_PAYROLL_RUN,
    )
    def create(self, request: Request) -> Response:
        """Pay many people on one day: all of them, or none."""
        countries = [one["bank_account"]["country"] for one in self.body["items"]]
        paid = dict.fromkeys(zip(_moneys(self.body), countries, strict=True))
        corridors.require_each(paid, self.business.pk, self.grant.tier)
        run = self.new(
            PayrollRun,
            amount=self.body["money"].minor,
            **self.given("currency", "pay_date", "items", "metadata"),
        )
        return self.answer(PAYROLL_RUNS.create(run, tries=self.tries, by=self.actor))


def _moneys(attrs: dict[str, Any]) -> list[Money]:
    """Return what each is paid, or raise the mistakes in the amounts, each at its item."""
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
