"""GET /transfers/corridors, GET, POST /transfers: money to beneficiaries, along what is open."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.fields import StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import Fault, invalid
from api.sandbox import corridors, restricted_places
from api.sandbox.disbursements import TRANSFERS
from api.sandbox.models import Quote, Transfer
from api.v1 import beneficiaries, disbursed, quotes
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, page_of, sent_metadata
from api.v1.examples import remittance as examples
from api.v1.resource import Columns, require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import MetadataField, MoneySerializer
from console.core.money import CURRENCIES, decimal


class CorridorItem(Described):
    """A corridor that is open to the business at this moment (D-09)."""

    object = serializers.ChoiceField(choices=["corridor"], help_text="What this is.")
    source_currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency of the balance that pays."
    )
    destination_country = serializers.CharField(help_text="The country that the money goes to.")
    destination_currency = serializers.CharField(help_text="The currency that is received.")
    rails = serializers.ListField(
        child=serializers.ChoiceField(choices=["bank", "mobile_money", "wallet"]),
        help_text="The ways by which it can arrive.",
    )
    min_amount = DescribedAmount(
        "source_currency", help_text="The least, in the currency that pays."
    )
    max_amount = DescribedAmount(
        "source_currency", help_text="The most, in the currency that pays."
    )
    delivery_estimate = serializers.CharField(help_text="How long it usually takes.")


class TransferBody(MoneySerializer):
    """POST /transfers: how much, to whom."""

    beneficiary_id = StrictText(max_length=40, help_text="The id of the beneficiary.")
    quote_id = StrictText(
        max_length=40,
        required=False,
        help_text="The id of a quote of this amount, to the currency of the beneficiary. Its rate"
        " binds; without one the rate of the day does.",
    )
    reference = StrictText(max_length=140, required=False, help_text="What the recipient is told.")
    metadata = MetadataField(required=False)


class TransferItem(Described):
    """A transfer. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the transfer.")
    object = serializers.ChoiceField(choices=["transfer"], help_text="What this is.")
    status = disbursed.status()
    amount = disbursed.amount()
    currency = disbursed.currency()
    fee = disbursed.fee()
    beneficiary_id = serializers.CharField(help_text="The id of who receives it.")
    quote_id = serializers.CharField(
        allow_null=True, help_text="The id of the quote that it used; null without one."
    )
    rate = serializers.CharField(
        allow_null=True, help_text="The rate of the quote; null without one."
    )
    destination_currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency that arrives."
    )
    destination_amount = DescribedAmount(
        "destination_currency",
        allow_null=True,
        help_text="What arrives by the quote; null without one.",
    )
    reference = serializers.CharField(allow_null=True, help_text="What the recipient is told.")
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at()


def _destination_amount(columns: Columns) -> str | None:
    minor = columns["destination_amount"]
    return None if minor is None else decimal(minor, columns["destination_currency"])


RESOURCE = disbursed.resource(
    Transfer,
    TransferItem,
    TRANSFERS,
    computed={"destination_amount": _destination_amount},
    also=("destination_amount",),
)


def list_corridors(call: Call) -> ApiAnswer:
    """List the corridors that are open to the business at this moment."""
    require_provider(call)
    found = [
        {
            "object": "corridor",
            "source_currency": one.source_currency,
            "destination_country": one.end.country,
            "destination_currency": one.end.currency,
            "rails": list(one.end.rails),
            "min_amount": one.least.decimal(),
            "max_amount": one.most.decimal(),
            "delivery_estimate": one.end.delivery_estimate,
        }
        for one in corridors.available(call.business.pk, call.grant.tier)
    ]
    return pages.whole(found)


def create(call: Call) -> ApiAnswer:
    """Transfer money from a balance to a beneficiary."""
    require_provider(call)
    body, money = call.body, call.body["money"]
    to = beneficiaries.RESOURCE.find(call, body["beneficiary_id"])
    # Restricted by now, perhaps, where it was not when it was kept.
    restricted_places.require_unrestricted_account(to.account, to.country)
    corridors.require(money, to.country, call.business.pk, call.grant.tier, currency=to.currency)
    transfer = Transfer(
        business=business_of(call),
        environment=call.environment,
        amount=money.minor,
        currency=money.currency,
        beneficiary=to,
        destination_currency=to.currency,
        **{name: body[name] for name in ("reference", "metadata") if name in body},
    )
    if "quote_id" in body:
        _bind(transfer, quotes.RESOURCE.find(call, body["quote_id"]))
    return RESOURCE.answer(TRANSFERS.create(transfer, tries=call.tries, by=key_of(call)))


def _bind(transfer: Transfer, quote: Quote) -> None:
    """Give a transfer what was quoted, or refuse where the quote is of something else."""
    agrees = {
        "currency": transfer.currency == quote.from_currency,
        "amount": transfer.amount == quote.from_amount,
        "beneficiary_id": transfer.destination_currency == quote.to_currency,
    }
    said = "The quote is of something else. Send what was quoted, or ask for another quote."
    if not all(agrees.values()):
        raise invalid(
            *[Fault(f"/{n}", "not_as_quoted", said) for n, good in agrees.items() if not good]
        )
    transfer.quote, transfer.rate = quote, quote.rate
    transfer.destination_amount = quote.to_amount


OPERATIONS = [
    Operation(
        "transfers.corridors",
        "GET",
        "/transfers/corridors",
        product="remittance",
        scope="transfers:read",
        function=list_corridors,
        answer=page_of(CorridorItem),
        example=examples.CORRIDORS,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    *reading_rows(
        RESOURCE,
        "/transfers",
        "remittance",
        "transfers:read",
        ("transfers", "transfer"),
        examples.TRANSFER,
    ),
    Operation(
        "transfers.create",
        "POST",
        "/transfers",
        product="remittance",
        scope="transfers:write",
        function=create,
        body=TransferBody,
        answer=answer_of(TransferItem),
        example=examples.NEW_TRANSFER,
        status=201,
        codes=("QUOTE_EXPIRED", "INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
