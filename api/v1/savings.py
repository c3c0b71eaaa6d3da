"""GET, POST /savings, POST .../deposit and .../withdraw: money that a business puts aside."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation, OperationExample, OperationFunction
from api.sandbox import savings
from api.sandbox.disbursements import SAVINGS_MOVEMENTS
from api.sandbox.models import Savings, SavingsDirection, SavingsMovement
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, sent_metadata
from api.v1.examples import savings as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_in
from console.core.money import CURRENCIES


class SavingsBody(StrictSerializer):
    """POST /savings: what is saved for, and in which currency."""

    name = StrictText(max_length=140, help_text="What you call it yourself.")
    currency = CurrencyField(help_text="The currency or asset that is saved.")
    metadata = MetadataField(required=False)


class SavingsItem(Described):
    """Savings: money put aside. It is no longer part of the balance of its currency."""

    id = serializers.CharField(help_text="The id of the savings.")
    object = serializers.ChoiceField(choices=["savings"], help_text="What this is.")
    name = serializers.CharField(help_text="What you call it yourself.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
    balance = DescribedAmount("currency", help_text="What is saved, as a decimal text.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you opened it.")


class SavingsMovementBody(StrictSerializer):
    """POST /savings/{id}/deposit and /withdraw: how much."""

    amount = AmountField(help_text="How much, in the currency of the savings.")


class SavingsMovementItem(Described):
    """Money on its way into savings, or out of them. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the movement.")
    object = serializers.ChoiceField(choices=["savings_movement"], help_text="What this is.")
    savings_id = serializers.CharField(help_text="The id of the savings.")
    direction = serializers.ChoiceField(
        choices=SavingsDirection.values, help_text="Whether money is put aside or taken back."
    )
    status = disbursed.status("Where the money is: on its way, there, back.")
    amount = disbursed.amount()
    currency = disbursed.currency()
    failure = disbursed.failure()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at("When the money was there; null before.")


RESOURCE = Resource(Savings, SavingsItem, settle=SAVINGS_MOVEMENTS.settle_due)
MOVEMENTS = disbursed.resource(SavingsMovement, SavingsMovementItem, SAVINGS_MOVEMENTS)


def create(call: Call) -> ApiAnswer:
    """Open savings in a currency."""
    require_provider(call)
    opened = Savings(business=business_of(call), environment=call.environment, **call.body)
    return RESOURCE.answer(savings.create(opened, by=key_of(call)))


def deposit(call: Call) -> ApiAnswer:
    """Put money of the balance aside."""
    return _moved(call, SavingsDirection.DEPOSIT)


def withdraw(call: Call) -> ApiAnswer:
    """Take money back into the balance."""
    return _moved(call, SavingsDirection.WITHDRAWAL)


def _moved(call: Call, direction: SavingsDirection) -> ApiAnswer:
    require_provider(call)
    own = RESOURCE.find(call, call.names["id"])
    money = money_in(own.currency, call.body["amount"])
    movement = SavingsMovement(
        business=business_of(call),
        environment=call.environment,
        savings=own,
        direction=direction,
        amount=money.minor,
        currency=money.currency,
    )
    made = SAVINGS_MOVEMENTS.create(movement, tries=call.tries, by=key_of(call))
    return MOVEMENTS.answer(made)


def _moving_row(word: str, function: OperationFunction, example: OperationExample) -> Operation:
    return Operation(
        f"savings.{word}",
        "POST",
        f"/savings/{{id}}/{word}",
        product="savings",
        scope="savings:write",
        function=function,
        body=SavingsMovementBody,
        answer=answer_of(SavingsMovementItem),
        example=example,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    )


OPERATIONS = [
    *reading_rows(
        RESOURCE, "/savings", "savings", "savings:read", ("savings", "savings account"),
        examples.SAVINGS,
    ),
    Operation(
        "savings.create",
        "POST",
        "/savings",
        product="savings",
        scope="savings:write",
        function=create,
        body=SavingsBody,
        answer=answer_of(SavingsItem),
        example=examples.NEW,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
        kind="financial",
        financial=True,
    ),
    _moving_row("deposit", deposit, examples.DEPOSIT),
    _moving_row("withdraw", withdraw, examples.WITHDRAWAL),
]  # fmt: skip
