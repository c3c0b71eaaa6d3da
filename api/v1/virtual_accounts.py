"""GET, POST /virtual-accounts, POST .../close, and the test helpers that play their provider."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictSerializer, StrictText
from api.gateway.operations import TEST_HELPERS, ApiAnswer, Call, Operation, OperationFunction
from api.sandbox import deposits, restricted_places, virtual_accounts
from api.sandbox.lifecycle import DEPOSIT_STATUSES, VIRTUAL_ACCOUNT_STATUSES
from api.sandbox.models import AccountType, Deposit, DepositSource, FreezeAuthority, VirtualAccount
from api.v1 import customers
from api.v1.callers import business_of, key_of
from api.v1.described import Described, DescribedAmount, DescribedStatus, answer_of, sent_metadata
from api.v1.examples import accounts as examples
from api.v1.resource import Resource, require_provider
from api.v1.rows import reading_rows
from api.v1.shared_fields import AmountField, CurrencyField, MetadataField, money_in
from console.core import ids
from console.core.money import CURRENCIES

PRODUCT, READ, WRITE = "virtual_accounts", "virtual_accounts:read", "virtual_accounts:write"


class VirtualAccountBody(StrictSerializer):
    """POST /virtual-accounts: in which currency, and for whom."""

    currency = CurrencyField(help_text="The currency that arrives.")
    customer_id = StrictText(
        max_length=40, required=False, help_text="The id of the customer whose account it is."
    )
    account_name = StrictText(
        max_length=140,
        required=False,
        help_text="The name that senders are told. Without it the account has the legal name of a"
        " customer whose identity was verified, else `BUSINESS` and the id of your business. A"
        " naira account is always in the legal name of your business.",
    )
    reference = StrictText(max_length=140, required=False, help_text="What you call it yourself.")
    metadata = MetadataField(required=False)


class VirtualAccountItem(Described):
    """A virtual account: a number that payers transfer to."""

    id = serializers.CharField(help_text="The id of the account.")
    object = serializers.ChoiceField(choices=["virtual_account"], help_text="What this is.")
    status = DescribedStatus(
        VIRTUAL_ACCOUNT_STATUSES,
        help_text="Money can arrive while it is `active`; while it is `frozen`, it is held.",
    )
    currency = serializers.ChoiceField(
        choices=list(CURRENCIES), help_text="The currency that arrives."
    )
    account_name = serializers.CharField(
        help_text="The name that senders are told. Banks may show another one."
    )
    account_number = serializers.CharField(
        allow_blank=True, help_text="The number to transfer to; empty until it is issued."
    )
    bank_name = serializers.CharField(
        allow_blank=True, help_text="The bank that has issued it; empty until then."
    )
    customer_id = serializers.CharField(
        allow_null=True, help_text="The id of the customer whose account it is."
    )
    account_type = serializers.ChoiceField(
        choices=AccountType.values,
        help_text="`dedicated` for those of this operation; `temporary` for one payment.",
    )
    reference = serializers.CharField(allow_null=True, help_text="What you call it yourself.")
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you asked for it.")


class DepositBody(StrictSerializer):
    """POST /test-helpers/virtual-accounts/{id}/deposits: the money of a payer."""

    amount = AmountField(help_text="How much arrives, in the currency of the account.")
    source_reference = StrictText(
        max_length=140, required=False, help_text="What the payer’s bank calls the payment."
    )
    provider_reference = StrictText(
        max_length=140,
        required=False,
        help_text="What the provider calls the payment; each counts once. Made for you where it is"
        " left out.",
    )


class DepositItem(Described):
    """Money that arrived on a virtual account."""

    id = serializers.CharField(help_text="The id of the deposit.")
    object = serializers.ChoiceField(choices=["deposit"], help_text="What this is.")
    status = DescribedStatus(
        DEPOSIT_STATUSES,
        help_text="`settled`, or `held` until a frozen account is let on.",
    )
    amount = DescribedAmount("currency", help_text="The amount, as a decimal text.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
    source = serializers.ChoiceField(  # type: ignore[assignment]  # as DRF has it
        choices=DepositSource.values, help_text="How the money came."
    )
    source_reference = serializers.CharField(
        allow_null=True, help_text="What the payer’s bank calls the payment."
    )
    provider_reference = serializers.CharField(
        help_text="What the provider calls the payment. A refund names it."
    )
    virtual_account_id = serializers.CharField(help_text="The id of the account that it is on.")
    metadata = serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text="Texts of your own; none yet."
    )
    created_at = serializers.DateTimeField(help_text="When it arrived.")
    settled_at = serializers.DateTimeField(
        allow_null=True, help_text="When it could be spent; null while it is held."
    )


class FreezeBody(StrictSerializer):
    """Freezing and letting on again: in whose name."""

    authority = StrictChoice(
        choices=FreezeAuthority.values,
        required=False,
        help_text="Who does it; `compliance` where it is left out. Only who froze an account lets"
        " it on again.",
    )


RESOURCE = Resource(VirtualAccount, VirtualAccountItem)
DEPOSITS = Resource(Deposit, DepositItem)


def create(call: Call) -> ApiAnswer:
    """Ask for a virtual account."""
    require_provider(call)
    body, business = call.body, business_of(call)
    customer = None
    if "customer_id" in body:
        customer = customers.RESOURCE.find(call, body["customer_id"])
        restricted_places.require_unrestricted_residence(customer.country, customer.address)
    name = virtual_accounts.name_of(
        business, body["currency"], customer, body.get("account_name", "")
    )
    account = VirtualAccount(
        business=business,
        environment=call.environment,
        currency=body["currency"],
        customer=customer,
        account_name=name,
        **{name: body[name] for name in ("reference", "metadata") if name in body},
    )
    return RESOURCE.answer(virtual_accounts.create(account, by=key_of(call)))


def deposit(call: Call) -> ApiAnswer:
    """Let money arrive on an account; the same provider reference counts once."""
    account, body = _own(call), call.body
    money = money_in(account.currency, body["amount"])
    arrived = Deposit(
        business=business_of(call),
        environment=call.environment,
        virtual_account=account,
        amount=money.minor,
        currency=money.currency,
        source_reference=body.get("source_reference", ""),
        provider_reference=body.get("provider_reference") or ids.new("sbx"),
    )
    return DEPOSITS.answer(deposits.receive(arrived, by=key_of(call)))


def require_action(call: Call) -> ApiAnswer:
    """Ask for the legal name before a pending account is issued; it fails after 30 days."""
    reasons = ["legal_name"]
    return RESOURCE.answer(virtual_accounts.require_action(_own(call), reasons, by=key_of(call)))


def freeze(call: Call) -> ApiAnswer:
    """Freeze an active account: money that arrives is held."""
    return RESOURCE.answer(virtual_accounts.freeze(_own(call), _authority(call), by=key_of(call)))


def unfreeze(call: Call) -> ApiAnswer:
    """Let a frozen account on, with the money that was held."""
    return RESOURCE.answer(virtual_accounts.unfreeze(_own(call), _authority(call), by=key_of(call)))


def _own(call: Call) -> VirtualAccount:
    require_provider(call)
    return RESOURCE.find(call, call.names["id"])


def _authority(call: Call) -> str:
    return str(call.body.get("authority", FreezeAuthority.COMPLIANCE))


def _moving_row(
    path: str,
    function: OperationFunction,
    status: str,
    body: Mapping[str, Any] | None = None,
) -> Operation:
    """Return the row of a move that leaves the account in a status; `body` is its example."""
    return Operation(
        f"virtual_accounts.{path.rpartition('/')[2].replace('-', '_')}",
        "POST",
        path,
        product=PRODUCT,
        scope=WRITE,
        function=function,
        body=FreezeBody if body else None,
        answer=answer_of(VirtualAccountItem),
        example=examples.of_status(status, body),
        codes=("NO_PROVIDER_ENABLED",),
    )


_HELPER = f"{TEST_HELPERS}virtual-accounts/{{id}}"
_AS_COMPLIANCE = {"authority": "compliance"}
OPERATIONS = [
    *reading_rows(
        RESOURCE,
        "/virtual-accounts",
        PRODUCT,
        READ,
        ("virtual accounts", "virtual account"),
        examples.VIRTUAL_ACCOUNT,
    ),
    Operation(
        "virtual_accounts.create",
        "POST",
        "/virtual-accounts",
        product=PRODUCT,
        scope=WRITE,
        function=create,
        body=VirtualAccountBody,
        answer=answer_of(VirtualAccountItem),
        example=examples.NEW,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    _moving_row(
        "/virtual-accounts/{id}/close",
        RESOURCE.move("Close a virtual account for good.", virtual_accounts.close),
        "closed",
    ),
    _moving_row(
        f"{_HELPER}/issue",
        RESOURCE.move(
            "Issue a pending account: it gets its number, and money can arrive.",
            virtual_accounts.issue,
        ),
        "active",
    ),
    _moving_row(f"{_HELPER}/require-action", require_action, "requires_action"),
    _moving_row(
        f"{_HELPER}/resubmit",
        RESOURCE.move(
            "Supply what the provider asked for; the account is pending again.",
            virtual_accounts.resubmit,
        ),
        "pending",
    ),
    _moving_row(
        f"{_HELPER}/fail",
        RESOURCE.move("Refuse an account that was not issued.", virtual_accounts.fail),
        "failed",
    ),
    _moving_row(f"{_HELPER}/freeze", freeze, "frozen", _AS_COMPLIANCE),
    _moving_row(f"{_HELPER}/unfreeze", unfreeze, "active", _AS_COMPLIANCE),
    Operation(
        "virtual_accounts.deposit",
        "POST",
        f"{_HELPER}/deposits",
        product=PRODUCT,
        scope=WRITE,
        function=deposit,
        body=DepositBody,
        answer=answer_of(DepositItem),
        example=examples.NEW_DEPOSIT,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    ),
]
