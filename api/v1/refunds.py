"""GET, POST /refunds: money of a payment that goes back to its payer."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import ApiProblem
from api.sandbox.disbursements import REFUNDS
from api.sandbox.models import Deposit, Refund
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of
from api.v1.examples import accounts as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import AmountField, money_in


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
    reason = StrictText(max_length=255, required=False, help_text="Why it goes back.")


class RefundItem(Described):
    """A refund. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the refund.")
    object = serializers.ChoiceField(choices=["refund"], help_text="What this is.")
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


RESOURCE = disbursed.resource(Refund, RefundItem, REFUNDS)


def create(call: Call) -> ApiAnswer:
    """Give a payment back, whole or in part."""
    require_provider(call)
    body, business = call.body, business_of(call)
    deposit = Deposit.objects.filter(
        business=business,
        environment=call.environment,
        provider_reference=body["payment_reference"],
    ).first()
    if deposit is None:
        raise ApiProblem("NOT_FOUND")
    money = money_in(deposit.currency, body["amount"])
    refund = Refund(
        business=business,
        environment=call.environment,
        deposit=deposit,
        payment_reference=deposit.provider_reference,
        amount=money.minor,
        currency=money.currency,
        reason=body.get("reason", ""),
    )
    return RESOURCE.answer(REFUNDS.create(refund, tries=call.tries, by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/refunds",
        "refunds",
        "refunds:read",
        ("refunds", "refund"),
        examples.REFUND,
    ),
    Operation(
        "refunds.create",
        "POST",
        "/refunds",
        product="refunds",
        scope="refunds:write",
        function=create,
        body=RefundBody,
        answer=answer_of(RefundItem),
        example=examples.NEW_REFUND,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
