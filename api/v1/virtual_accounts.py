"""GET, POST /virtual-accounts, POST .../close, and test helpers that act as their provider."""

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictChoice, StrictSerializer, StrictText
from api.payments import deposits, restricted_places, virtual_accounts
from api.payments.lifecycle import DEPOSIT_STATUSES, VIRTUAL_ACCOUNT_STATUSES
from api.payments.models import (
    AccountType,
    Customer,
    Deposit,
    FreezeAuthority,
    PaymentMethod,
    VirtualAccount,
)
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
    StatusField,
)
from api.v1 import filters
from api.v1.examples import accounts as examples
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_of
from api.viewsets import ListMixin, ResourceViewSet, RetrieveMixin, operation
from console.core import ids


class VirtualAccountCreateSerializer(StrictSerializer):
    """POST /virtual-accounts: the currency and the customer."""

    currency = CurrencyField(help_text="The currency that the recipient receives.")
    customer_id = StrictText(
        max_length=40, required=False, allow_null=True, help_text="The ID of the customer."
    )
    account_name = StrictText(
        max_length=140,
        required=False,
        help_text=(
            "The account name that payers see. By default we use the legal name of a customer "
            "with a confirmed identity, or `BUSINESS` and the ID of your business. Naira accounts "
            "always have the legal name of your business."
        ),
    )
    reference = StrictText(
        max_length=140, required=False, allow_null=True, help_text="Your own reference."
    )
    metadata = MetadataField(required=False)


class VirtualAccountSerializer(ResourceSerializer):
    """A virtual account that payers transfer to."""

    id = IdField(help_text="The id of the account.")
    object = ObjectField("virtual_account")
    status = StatusField(
        VIRTUAL_ACCOUNT_STATUSES,
        help_text=(
            "An `active` account receives money. We hold money that arrives while it is `frozen`."
        ),
    )
    currency = SentCurrencyField(help_text="The currency that the recipient receives.")
    account_name = serializers.CharField(
        help_text="The account name that payers see. Banks may show a different one."
    )
    account_number = serializers.CharField(
        allow_blank=True,
        help_text="The account number, an IBAN in EUR. Empty until the account is issued.",
    )
    bank_name = serializers.CharField(
        allow_blank=True, help_text="The bank that issued the account. Empty until then."
    )
    customer_id = serializers.CharField(allow_null=True, help_text="The ID of the customer.")
    account_type = serializers.ChoiceField(
        choices=AccountType.values,
        help_text="`dedicated` for accounts that you create here, `temporary` for one payment.",
    )
    reference = serializers.CharField(allow_null=True, help_text="Your own reference.")
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you requested it.")
    reasons = serializers.ListField(
        child=serializers.CharField(),
        help_text="The information that the provider still needs. Empty unless `requires_action`.",
    )


class DepositCreateSerializer(StrictSerializer):
    """POST /test-helpers/virtual-accounts/{id}/deposits: the payment."""

    amount = AmountField(help_text="The amount that arrives, in the currency of the account.")
    source_reference = StrictText(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="The reference of the payer’s bank.",
    )
    provider_reference = StrictText(
        max_length=140,
        required=False,
        help_text=(
            "The provider’s reference of the payment. Each one counts once. We generate one by "
            "default."
        ),
    )


class DepositSerializer(ResourceSerializer):
    """Money that arrived on a virtual account."""

    id = IdField(help_text="The id of the deposit.")
    object = ObjectField("deposit")
    status = StatusField(
        DEPOSIT_STATUSES,
        help_text="`settled`, or `held` while the account is frozen.",
    )
    amount = SentAmountField(help_text="The amount, as a decimal string.")
    currency = SentCurrencyField()
    source = serializers.ChoiceField(  # type: ignore[assignment]  # as DRF has it
        choices=PaymentMethod.values, help_text="The payment method."
    )
    source_reference = serializers.CharField(
        allow_null=True, help_text="The reference of the payer’s bank."
    )
    provider_reference = serializers.CharField(
        help_text="The provider’s reference of the payment. Use it to refund the payment."
    )
    virtual_account_id = serializers.CharField(help_text="The ID of the virtual account.")
    metadata = SentMetadataField(help_text="Your own metadata. Always empty for now.")
    created_at = serializers.DateTimeField(help_text="When it arrived.")
    settled_at = serializers.DateTimeField(
        allow_null=True, help_text="When you could spend it, or null while it is held."
    )


class FreezeSerializer(StrictSerializer):
    """Who freezes or unfreezes the account."""

    authority = StrictChoice(
        choices=FreezeAuthority.values,
        required=False,
        help_text=(
            "Who does it. `compliance` by default. Only the party that froze an account can "
            "unfreeze it."
        ),
    )


_AS_COMPLIANCE = {"authority": "compliance"}


# Temporary accounts exist only on checkout sessions (specification 2).
_DEDICATED = VirtualAccount.objects.filter(account_type=AccountType.DEDICATED)


class VirtualAccountViewSet(ListMixin, RetrieveMixin):
    """Virtual accounts that payers transfer to."""

    product = resource = "virtual_accounts"
    queryset = _DEDICATED
    serializer_class = VirtualAccountSerializer
    query_class = filters.of(
        VirtualAccount, VirtualAccountSerializer, "status", "currency", "reference", "customer_id"
    )
    words = "virtual accounts", "virtual account"
    example = examples.VIRTUAL_ACCOUNT

    @operation(body=VirtualAccountCreateSerializer, status=201, example=examples.NEW)
    def create(self, request: Request) -> Response:
        """Request a virtual account."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body, customer = serializer.validated_data, None
        if "customer_id" in body:
            customer = self.find_named(Customer.objects.all(), "customer_id", body)
            restricted_places.require_unrestricted_residence(
                customer.country, customer.address, member="customer_id"
            )
        asked = body.get("account_name", "")
        account = self.new(
            VirtualAccount,
            body,
            customer=customer,
            account_name=virtual_accounts.name_of(self.business, body["currency"], customer, asked),
        )
        return self.answer(virtual_accounts.create(account, by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("closed"))
    def close(self, request: Request) -> Response:
        """Close a virtual account permanently."""
        return self.answer(virtual_accounts.close(self.get_object(), by=self.actor))


class VirtualAccountTestHelperViewSet(ResourceViewSet):
    """Test helpers that act as a virtual account's provider and payers."""

    product = resource = "virtual_accounts"
    queryset = _DEDICATED
    serializer_class = VirtualAccountSerializer

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("active"))
    def issue(self, request: Request) -> Response:
        """Issue a pending account. It gets its number and can receive money."""
        return self.answer(virtual_accounts.issue(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"], url_path="require-action")
    @operation(example=examples.of_status("requires_action"))
    def require_action(self, request: Request) -> Response:
        """Request the legal name for a pending account. The account fails after 30 days."""
        own = self.get_object()
        return self.answer(virtual_accounts.require_action(own, ["legal_name"], by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("pending"))
    def resubmit(self, request: Request) -> Response:
        """Supply the requested information. The account becomes pending again."""
        return self.answer(virtual_accounts.resubmit(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("failed"))
    def fail(self, request: Request) -> Response:
        """Refuse a pending account."""
        return self.answer(virtual_accounts.fail(self.get_object(), by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(body=FreezeSerializer, example=examples.of_status("frozen", _AS_COMPLIANCE))
    def freeze(self, request: Request) -> Response:
        """Freeze an active account. We hold money that arrives."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        authority = serializer.validated_data.get("authority", FreezeAuthority.COMPLIANCE)
        return self.answer(virtual_accounts.freeze(self.get_object(), authority, by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(body=FreezeSerializer, example=examples.of_status("active", _AS_COMPLIANCE))
    def unfreeze(self, request: Request) -> Response:
        """Unfreeze an account and release the held money."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        authority = serializer.validated_data.get("authority", FreezeAuthority.COMPLIANCE)
        return self.answer(virtual_accounts.unfreeze(self.get_object(), authority, by=self.actor))

    @action(detail=True, methods=["post"], url_path="deposits")
    @operation(
        body=DepositCreateSerializer,
        answer=DepositSerializer,
        status=201,
        example=examples.NEW_DEPOSIT,
    )
    def deposit(self, request: Request) -> Response:
        """Simulate an incoming payment. We book each provider reference only once."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        account = self.get_object()
        deposit = self.new(
            Deposit,
            virtual_account=account,
            amount=money_of(body["amount"], account.currency).minor,
            currency=account.currency,
            source_reference=body.get("source_reference", ""),
            provider_reference=body.get("provider_reference") or ids.new("sbx"),
        )
        return self.answer(deposits.receive(deposit, by=self.actor), DepositSerializer)
