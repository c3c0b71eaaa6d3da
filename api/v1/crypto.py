"""GET, POST /crypto/addresses and /crypto/withdrawals: receive and send assets on-chain."""

from functools import partial
from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText, mistake_at, together
from api.payments import crypto_addresses
from api.payments.currencies import is_held
from api.payments.disbursements import CRYPTO_WITHDRAWALS
from api.payments.models import CryptoAddress, CryptoWithdrawal
from api.providers import blockchains
from api.providers.blockchains import NETWORKS
from api.providers.interface import CurrencyNotAvailable
from api.serializers import IdField, ObjectField, ResourceSerializer, SentMetadataField
from api.v1 import disbursed, filters
from api.v1.examples import assets as examples
from api.v1.shared_fields import AssetField, AssetMoneySerializer, MetadataField
from api.viewsets import ListMixin, operation
from console.accounts.models import Business
from console.core.money import ASSETS


class NetworkField(StrictChoice):
    """A blockchain by its name."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=list(NETWORKS), **more)


class CryptoAddressCreateSerializer(StrictSerializer):
    """POST /crypto/addresses: the asset and the network."""

    asset = AssetField(help_text="The asset that you want to receive.")
    network = NetworkField(help_text="The network. It must support the asset.")
    metadata = MetadataField(required=False)


class CryptoAddressSerializer(ResourceSerializer):
    """Your address for one asset on one network. Do not send anything else to it."""

    id = IdField(help_text="The id of the address.")
    object = ObjectField("crypto_address")
    asset = serializers.ChoiceField(
        choices=list(ASSETS), help_text="The asset that the address receives."
    )
    network = serializers.ChoiceField(
        choices=list(NETWORKS), help_text="The network of the address."
    )
    address = serializers.CharField(help_text="The address, in the format of its network.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you requested it.")


class CryptoWithdrawalCreateSerializer(AssetMoneySerializer):
    """POST /crypto/withdrawals: the asset, the amount and the destination."""

    network = NetworkField(help_text="The network. It must support the asset.")
    address = StrictText(
        max_length=64,
        help_text=(
            "The destination address, in the format of the network: `0x` and 40 hexadecimal "
            "digits, or Base58 on Tron and Solana. On Tron its checksum must be valid."
        ),
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        def check_address() -> None:
            if not NETWORKS[attrs["network"]].form.fits(attrs["address"]):
                raise mistake_at("address", "wrong_shape", "Send a valid address for this network.")

        validated, _ = together(partial(super().validate, attrs), check_address)
        return cast("dict[str, Any]", validated)


class CryptoWithdrawalSerializer(ResourceSerializer):
    """A withdrawal. Contains `failure` if it failed."""

    id = IdField(help_text="The id of the withdrawal.")
    object = ObjectField("crypto_withdrawal")
    status = disbursed.status(help_text="Whether the asset is reserved, sent or returned.")
    asset = serializers.ChoiceField(source="currency", choices=list(ASSETS), help_text="The asset.")
    network = serializers.ChoiceField(
        choices=list(NETWORKS), help_text="The network of the withdrawal."
    )
    address = serializers.CharField(help_text="The destination address.")
    amount = disbursed.amount(of="asset", help_text="The amount, as a decimal string.")
    fee = disbursed.fee(of="asset")
    failure = disbursed.failure()
    metadata = SentMetadataField()
    created_at = disbursed.created_at()
    completed_at = disbursed.completed_at(help_text="When it was sent, or null.")


class CryptoAddressViewSet(ListMixin):
    """Addresses that receive an asset."""

    product = "crypto"
    resource = "crypto_addresses"
    queryset = CryptoAddress.objects.all()
    serializer_class = CryptoAddressSerializer
    query_class = filters.of(CryptoAddress, CryptoAddressSerializer, "asset")
    words = "your addresses", "address"
    example = examples.ADDRESS

    @operation(body=CryptoAddressCreateSerializer, status=201, example=examples.NEW_ADDRESS)
    def create(self, request: Request) -> Response:
        """Create an address to receive an asset."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        _require_carried(self.business, body)
        address = self.new(CryptoAddress, body)
        return self.answer(crypto_addresses.create(address, by=self.actor))


class CryptoWithdrawalViewSet(ListMixin):
    """Withdrawals of an asset to an external address."""

    product = "crypto"
    resource = "crypto_withdrawals"
    queryset = CryptoWithdrawal.objects.all()
    serializer_class = CryptoWithdrawalSerializer
    query_class = filters.of(CryptoWithdrawal, CryptoWithdrawalSerializer, "status", "asset")
    settle_due = CRYPTO_WITHDRAWALS.settle_due
    words = "withdrawals", "withdrawal"
    example = examples.WITHDRAWAL

    @disbursed.operation(body=CryptoWithdrawalCreateSerializer, example=examples.NEW_WITHDRAWAL)
    def create(self, request: Request) -> Response:
        """Send an asset from a balance to an external address."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        _require_carried(self.business, body)
        withdrawal = self.new(
            CryptoWithdrawal,
            body,
            amount=body["money"].minor,
            currency=body["asset"],
        )
        return self.answer(
            CRYPTO_WITHDRAWALS.create(withdrawal, tries=self.claim.tries, by=self.actor)
        )


def _require_carried(business: Business, body: dict[str, Any]) -> None:
    """Refuse an asset that the business does not have, or that is not on this network."""
    if not is_held(body["asset"], business.pk):
        raise CurrencyNotAvailable(body["asset"], field="asset")
    blockchains.require(body["asset"], body["network"])
