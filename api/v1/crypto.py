"""GET, POST /crypto/addresses and /crypto/withdrawals: assets that come in and leave on chain."""

from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictSerializer, StrictText, mistake
from api.gateway.operations import ApiAnswer, Call, Operation
from api.sandbox import crypto_addresses, networks
from api.sandbox.currencies import is_held
from api.sandbox.disbursements import CRYPTO_WITHDRAWALS
from api.sandbox.models import CryptoAddress, CryptoWithdrawal
from api.sandbox.networks import NETWORKS
from api.sandbox.provider import NoProvider
from api.v1 import disbursed
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, sent_metadata
from api.v1.examples import assets as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import listing_row
from api.v1.shared_fields import AssetField, AssetMoneySerializer, MetadataField
from console.core.money import ASSETS


class NetworkField(StrictChoice):
    """A blockchain by its word."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=list(NETWORKS), **more)


class CryptoAddressBody(StrictSerializer):
    """POST /crypto/addresses: for which asset, on which network."""

    asset = AssetField(help_text="The asset that is to come in.")
    network = NetworkField(help_text="The network that it comes by; it must carry the asset.")
    metadata = MetadataField(required=False)


class CryptoAddressItem(Described):
    """An address of yours for one asset on one network. Send nothing else to it."""

    id = serializers.CharField(help_text="The id of the address.")
    object = serializers.ChoiceField(choices=["crypto_address"], help_text="What this is.")
    asset = serializers.ChoiceField(choices=list(ASSETS), help_text="The asset that it takes.")
    network = serializers.ChoiceField(choices=list(NETWORKS), help_text="Its network.")
    address = serializers.CharField(help_text="The address, as its network writes it.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you asked for it.")


class WithdrawalBody(AssetMoneySerializer):
    """POST /crypto/withdrawals: how much of an asset, and where to."""

    network = NetworkField(help_text="The network that it leaves by; it must carry the asset.")
    address = StrictText(
        max_length=64,
        help_text="Where it goes, as the network writes it: `0x` and 40 hexadecimal digits, or"
        " Base58 on Tron and Solana. On Tron its check digits must fit.",
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not NETWORKS[attrs["network"]].form.fits(attrs["address"]):
            wrong = mistake("wrong_shape", "Send an address of that network.")
            raise serializers.ValidationError({"address": wrong.detail})
        return super().validate(attrs)


class WithdrawalItem(Described):
    """A withdrawal. `failure` is there once it has failed."""

    id = serializers.CharField(help_text="The id of the withdrawal.")
    object = serializers.ChoiceField(choices=["crypto_withdrawal"], help_text="What this is.")
    status = disbursed.status("Where it is: reserved, gone, or back.")
    asset = serializers.ChoiceField(choices=list(ASSETS), help_text="The asset.")
    network = serializers.ChoiceField(choices=list(NETWORKS), help_text="The network it leaves by.")
    address = serializers.CharField(help_text="Where it goes.")
    amount = disbursed.amount("How much, as a decimal text.", of="asset")
    fee = disbursed.fee(of="asset")
    failure = disbursed.failure()
    metadata = sent_metadata()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at("When it was gone; null before.")


ADDRESSES = Resource(CryptoAddress, CryptoAddressItem)
RESOURCE = disbursed.resource(
    CryptoWithdrawal, WithdrawalItem, CRYPTO_WITHDRAWALS, columns={"asset": "currency"}
)


def create_address(call: Call) -> ApiAnswer:
    """Get a new address that an asset can be sent to."""
    require_provider(call)
    _require_carried(call, call.body["asset"])
    one = CryptoAddress(business=business_of(call), environment=call.environment, **call.body)
    return ADDRESSES.answer(crypto_addresses.create(one, by=key_of(call)))


def withdraw(call: Call) -> ApiAnswer:
    """Send an asset from a balance to an address elsewhere."""
    require_provider(call)
    body, money = call.body, call.body["money"]
    _require_carried(call, money.currency)
    withdrawal = CryptoWithdrawal(
        business=business_of(call),
        environment=call.environment,
        amount=money.minor,
        currency=money.currency,
        network=body["network"],
        address=body["address"],
        metadata=body.get("metadata", {}),
    )
    return RESOURCE.answer(CRYPTO_WITHDRAWALS.create(withdrawal, tries=call.tries, by=key_of(call)))


def _require_carried(call: Call, asset: str) -> None:
    """Refuse an asset that does not exist for the business, or not on that network."""
    if not is_held(asset, call.business.pk):
        raise NoProvider(f"{asset} is not held.")
    networks.require(asset, call.body["network"])


OPERATIONS = [
    listing_row(
        ADDRESSES,
        "/crypto/addresses",
        "crypto",
        "crypto:read",
        "addresses of yours",
        examples.ADDRESS,
    ),
    Operation(
        "crypto_addresses.create",
        "POST",
        "/crypto/addresses",
        product="crypto",
        scope="crypto:write",
        function=create_address,
        body=CryptoAddressBody,
        answer=answer_of(CryptoAddressItem),
        example=examples.NEW_ADDRESS,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    listing_row(
        RESOURCE,
        "/crypto/withdrawals",
        "crypto",
        "crypto:read",
        "withdrawals",
        examples.WITHDRAWAL,
    ),
    Operation(
        "crypto_withdrawals.create",
        "POST",
        "/crypto/withdrawals",
        product="crypto",
        scope="crypto:write",
        function=withdraw,
        body=WithdrawalBody,
        answer=answer_of(WithdrawalItem),
        example=examples.NEW_WITHDRAWAL,
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
