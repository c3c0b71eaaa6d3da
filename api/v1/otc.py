"""GET, POST /otc-orders, GET /otc-orders/{id}: an asset is bought or sold for a currency."""

from rest_framework import serializers

from api.gateway.fields import StrictChoice
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.problems import Fault, invalid
from api.sandbox import exchange_rates
from api.sandbox.currencies import held_currencies
from api.sandbox.disbursements import OTC_ORDERS
from api.sandbox.models import OtcOrder, OtcSide
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, answer_of, sent_metadata
from api.v1.examples import assets as examples
from api.v1.resource import require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import AssetMoneySerializer, MetadataField, is_holdable
from console.core.money import ASSETS, CURRENCIES

_CURRENCIES = [code for code in CURRENCIES if code not in ASSETS]


class OtcOrderBody(AssetMoneySerializer):
    """POST /otc-orders: what to buy or sell, and for which currency."""

    side = StrictChoice(choices=OtcSide.values, help_text="Whether you buy the asset or sell it.")
    currency = StrictChoice(
        choices=_CURRENCIES, help_text="The currency that you pay with, or are paid in."
    )
    metadata = MetadataField(required=False)


class OtcOrderItem(Described):
    """An OTC order. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the order.")
    object = serializers.ChoiceField(choices=["otc_order"], help_text="What this is.")
    status = disbursed.status("Where what you pay is: reserved, exchanged, or back.")
    side = serializers.ChoiceField(
        choices=OtcSide.values, help_text="Whether you buy the asset or sell it."
    )
    asset = serializers.ChoiceField(choices=list(ASSETS), help_text="The asset.")
    currency = serializers.ChoiceField(
        choices=_CURRENCIES, help_text="The currency that you pay with, or are paid in."
    )
    amount = disbursed.amount("How much of the asset, as a decimal text.", of="asset")
    price = DescribedAmount(
        "currency", help_text="What one unit of the asset costs in the currency."
    )
    total = DescribedAmount("currency", help_text="What the amount comes to, in the currency.")
    fee = disbursed.fee("What it costs beside the total.")
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at("When both balances had moved; null before.")


RESOURCE = disbursed.resource(OtcOrder, OtcOrderItem, OTC_ORDERS)


def create(call: Call) -> ApiAnswer:
    """Buy or sell an asset at the price of the moment."""
    require_provider(call)
    body, money = call.body, call.body["money"]
    held = held_currencies(call.business.pk)
    price = exchange_rates.current().of_pair(money.currency, body["currency"], held)
    total = price.convert(money)
    if not is_holdable(total):
        said = "Send an amount that comes to something a balance can hold in the currency."
        raise invalid(Fault("/amount", "out_of_range", said))
    order = OtcOrder(
        business=business_of(call),
        environment=call.environment,
        side=body["side"],
        asset=money.currency,
        amount=money.minor,
        currency=total.currency,
        price=price.text,
        total=total.minor,
        metadata=body.get("metadata", {}),
    )
    return RESOURCE.answer(OTC_ORDERS.create(order, tries=call.tries, by=key_of(call)))


OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/otc-orders",
        "otc",
        "otc:read",
        ("OTC orders", "OTC order"),
        examples.OTC_ORDER,
    ),
    Operation(
        "otc_orders.create",
        "POST",
        "/otc-orders",
        product="otc",
        scope="otc:write",
        function=create,
        body=OtcOrderBody,
        answer=answer_of(OtcOrderItem),
        example=examples.NEW_OTC_ORDER,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
