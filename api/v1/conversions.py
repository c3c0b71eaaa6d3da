"""GET, POST /conversions, GET /conversions/{id}: money of one balance becomes money of another."""

from rest_framework import serializers

from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox.disbursements import CONVERSIONS
from api.sandbox.models import Conversion
from api.v1 import disbursed, quotes
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, sent_metadata
from api.v1.examples import exchange as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import MetadataField
from console.core.money import CURRENCIES


class ConversionBody(StrictSerializer):
    """POST /conversions: by which quote."""

    quote_id = StrictText(
        max_length=40, help_text="The id of a quote that has not expired and was not used."
    )
    metadata = MetadataField(required=False)


class ConversionItem(Described):
    """A conversion. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the conversion.")
    object = serializers.ChoiceField(choices=["conversion"], help_text="What this is.")
    status = disbursed.status("Where the money is: reserved, converted, or back.")
    quote_id = serializers.CharField(help_text="The id of the quote that it used.")
    # A member of this name cannot be written as an attribute.
    vars()["from"] = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that is given."
    )
    to = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency or asset that comes in."
    )
    from_amount = DescribedAmount("from", help_text="How much is given, as a decimal text.")
    to_amount = DescribedAmount("to", help_text="How much comes in, as a decimal text.")
    rate = serializers.CharField(help_text="The rate of the quote.")
    fee = disbursed.fee("What it costs beside the amount, in `from`.", of="from")
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at("When both balances had moved; null before.")


RESOURCE = disbursed.resource(
    Conversion,
    ConversionItem,
    CONVERSIONS,
    columns={"from": "currency", "to": "to_currency", "from_amount": "amount"},
)


def create(call: Call) -> ApiAnswer:
    """Convert money of one balance into another, by a quote."""
    require_provider(call)
    quote = quotes.RESOURCE.find(call, call.body["quote_id"])
    conversion = Conversion(
        business=business_of(call),
        environment=call.environment,
        quote=quote,
        amount=quote.from_amount,
        currency=quote.from_currency,
        to_amount=quote.to_amount,
        to_currency=quote.to_currency,
        rate=quote.rate,
        metadata=call.body.get("metadata", {}),
    )
    return RESOURCE.answer(CONVERSIONS.create(conversion, tries=call.tries, by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/conversions",
        "conversions",
        "conversions:read",
        ("conversions", "conversion"),
        examples.CONVERSION,
    ),
    Operation(
        "conversions.create",
        "POST",
        "/conversions",
        product="conversions",
        scope="conversions:write",
        function=create,
        body=ConversionBody,
        answer=answer_of(ConversionItem),
        example=examples.NEW_CONVERSION,
        status=201,
        codes=("QUOTE_EXPIRED", "INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
