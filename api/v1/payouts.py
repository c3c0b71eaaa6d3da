"""POST /payouts, GET /payouts, GET /payouts/{id}: money to bank accounts."""

from rest_framework import serializers

from api.gateway.fields import StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import corridors
from api.sandbox.disbursements import PAYOUTS
from api.sandbox.models import Payout
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import payouts as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_rows
from api.v1.shapes import SentBankAccount
from api.v1.shared_fields import BankAccountSerializer, MetadataField, MoneySerializer


class PayoutBody(MoneySerializer):
    """POST /payouts: what to pay out, and where to."""

    bank_account = BankAccountSerializer(help_text="Where the money goes.")
    reference = StrictText(
        max_length=140, required=False, help_text="What the recipient’s bank is told."
    )
    metadata = MetadataField(required=False)


class PayoutItem(Described):
    """A payout as a list shows it."""

    id = serializers.CharField(help_text="The id of the payout.")
    object = serializers.ChoiceField(choices=["payout"], help_text="What this is.")
    status = disbursed.status("Where it is: reserved, gone, or back.")
    amount = disbursed.amount()
    currency = disbursed.currency()
    bank_account = SentBankAccount(help_text="Where the money goes.")
    reference = serializers.CharField(
        allow_blank=True, help_text="What the recipient’s bank is told."
    )
    failure_reason = serializers.CharField(
        allow_null=True, help_text="Why it failed; null while it has not."
    )
    metadata = sent_metadata()
    created_at = disbursed.created_at()


RESOURCE = disbursed.resource(
    Payout, PayoutItem, PAYOUTS, columns={"failure_reason": "failure_code"}
)
_DETAILS = ("bank_account", "reference", "metadata")


def create(call: Call) -> ApiAnswer:
    """Pay out from a balance to a bank account."""
    body = call.body
    country = body["bank_account"]["country"]
    require_provider(call)
    corridors.require(body["money"], country, call.business.pk, call.grant.tier)
    payout = Payout(
        business=business_of(call),
        environment=call.environment,
        amount=body["money"].minor,
        currency=body["money"].currency,
        **{name: body[name] for name in _DETAILS if name in body},
    )
    return RESOURCE.answer(PAYOUTS.create(payout, tries=call.tries, by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/payouts",
        "payouts",
        "payouts:read",
        ("payouts", "payout"),
        examples.PAYOUT,
    ),
    Operation(
        "payouts.create",
        "POST",
        "/payouts",
        product="payouts",
        scope="payouts:write",
        function=create,
        body=PayoutBody,
        answer=answer_of(PayoutItem),
        example=examples.NEW_PAYOUT,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
