"""GET, POST /payroll/runs: what many people are paid on one day."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText, mistake
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import corridors
from api.sandbox.disbursements import PAYROLL_RUNS
from api.sandbox.models import PayrollRun
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, sent_metadata
from api.v1.examples import payroll as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_rows
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
from console.core import clock
from console.core.money import Money

_PRODUCT = "payroll"
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


class PayrollItemShape(Described):
    """One person's pay, as it was sent."""

    amount = DescribedAmount("", help_text="What the person is paid, as a decimal text.")
    bank_account = SentBankAccount(help_text="Where the pay goes.")
    reference = serializers.CharField(
        required=False, help_text="What the person’s bank is told, where it was sent."
    )


class PayrollRunItem(Described):
    """A payroll run. `failure` is there once it has failed: then nobody was paid."""

    id = serializers.CharField(help_text="The id of the payroll run.")
    object = serializers.ChoiceField(choices=["payroll_run"], help_text="What this is.")
    status = disbursed.status(
        "Where the money is: reserved until the day of payment, gone, or back."
    )
    pay_date = serializers.DateField(help_text="The day of payment.")
    amount = disbursed.amount("What all items come to. In the sandbox it chooses what happens.")
    currency = disbursed.currency()
    fee = disbursed.fee()
    items = PayrollItemShape(many=True, help_text="Who is paid.")
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


RESOURCE = disbursed.resource(PayrollRun, PayrollRunItem, PAYROLL_RUNS)


def create(call: Call) -> ApiAnswer:
    """Pay many people on one day: all of them, or none."""
    body = call.body
    countries = [one["bank_account"]["country"] for one in body["items"]]
    require_provider(call)
    paid = dict.fromkeys(zip(_moneys(body), countries, strict=True))
    corridors.require_each(paid, call.business.pk, call.grant.tier)
    run = PayrollRun(
        business=business_of(call),
        environment=call.environment,
        amount=body["money"].minor,
        **{
            name: body[name]
            for name in ("currency", "pay_date", "items", "metadata")
            if name in body
        },
    )
    return RESOURCE.answer(PAYROLL_RUNS.create(run, tries=call.tries, by=key_of(call)))


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


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/payroll/runs",
        _PRODUCT,
        "payroll:read",
        ("payroll runs", "payroll run"),
        examples.PAYROLL_RUN,
    ),
    Operation(
        "payroll_runs.create",
        "POST",
        "/payroll/runs",
        product=_PRODUCT,
        scope="payroll:write",
        function=create,
        body=PayrollRunBody,
        answer=answer_of(PayrollRunItem),
        example=examples.NEW_PAYROLL_RUN,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
