"""Public event types of virtual accounts, deposits and transfers."""

from typing import Literal

from pydantic import Field

from api.sandbox.models import Deposit, Transfer, VirtualAccount
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import EnvironmentName, PublicData, PublicKind, Told


class VirtualAccountData(PublicData):
    """A virtual account."""

    id: str = Field(description="The id of the account.")
    object: Literal["virtual_account"] = Field(
        default="virtual_account", description="The object type."
    )
    status: Literal["active"] = Field(description="The account can receive money.")
    currency: str = Field(description="The currency of the account.")
    account_name: str = Field(description="The account holder’s name.")
    account_number: str = Field(description="The account number for payers.")
    bank_name: str = Field(description="The account’s bank.")
    customer_id: str | None = Field(description="The ID of the customer, or null.")
    account_type: Literal["dedicated", "temporary"] = Field(
        description="Whether it is a dedicated account or serves one payment."
    )
    reference: str | None = Field(description="Your own reference, or null.")
    metadata: dict[str, str] = Field(description="Your own metadata, as you sent it.")
    created_at: str = Field(description="When you requested it.")
    reasons: list[str] = Field(
        description="The information that the provider still needs. Empty when active."
    )


class DepositData(PublicData):
    """Money that arrived. The amount is in minor units of the currency."""

    id: str = Field(description="The id of the deposit.")
    object: Literal["deposit"] = Field(default="deposit", description="The object type.")
    status: Literal["settled"] = Field(description="The deposit is in the balance.")
    environment: EnvironmentName = Field(description="The environment of the deposit.")
    currency: str = Field(description="The currency or asset.")
    amount_minor: int = Field(description="The amount in minor units.")
    source: Literal["bank_transfer", "crypto", "service_tag"] = Field(
        description="The payment method."
    )
    source_reference: str | None = Field(description="The sender’s reference, or null.")
    provider_reference: str = Field(description="The provider’s reference. Each one counts once.")
    virtual_account_id: str | None = Field(
        description="The ID of the virtual account that received it, or null."
    )
    checkout_session_id: str | None = Field(
        description="The ID of the checkout session that it paid, or null."
    )
    late: bool = Field(description="Whether it arrived after its checkout session ended.")
    settled_at: str = Field(description="When it was added to the balance.")
    metadata: dict[str, str] = Field(description="Your own metadata.")


_ACCOUNT = VirtualAccountData(
    id="vac_01k2z4m8j0b2h4m6p8s0v2x4z6",
    status="active",
    currency="NGN",
    account_name="Lagoon Logistics Ltd",
    account_number="0123456789",
    bank_name="Sandbox Bank",
    customer_id=None,
    account_type="dedicated",
    reference="ORD-1001",
    metadata={},
    created_at="2026-09-01T09:30:00Z",
    reasons=[],
)
_DEPOSIT = DepositData(
    id="dep_01k3vq6t9z8q4j7m2n5p0r1s3u",
    status="settled",
    environment="sandbox",
    currency="NGN",
    amount_minor=150_000,
    source="bank_transfer",
    source_reference="FT26244BZ1",
    provider_reference="PRV-778810",
    virtual_account_id=_ACCOUNT.id,
    checkout_session_id=None,
    late=False,
    settled_at="2026-09-01T09:31:00Z",
    metadata={},
)


TransferOutcome = Literal["completed", "failed"]


class TransferFailure(PublicData):
    """Why a transfer failed."""

    code: str = Field(description="The reason code.")
    message: str = Field(description="The reason in words.")


class TransferData(PublicData):
    """A transfer. Amounts are in minor units of the currency."""

    id: str = Field(description="The id of the transfer.")
    object: Literal["transfer"] = Field(default="transfer", description="The object type.")
    status: TransferOutcome = Field(description="Whether the money was sent or returned.")
    currency: str = Field(description="The currency or asset.")
    amount_minor: int = Field(description="The amount in minor units.")
    fee_minor: int = Field(description="The fee in addition to the amount, in minor units.")
    reference: str = Field(description="The reference that the recipient sees.")
    beneficiary_id: str | None = Field(description="The ID of the beneficiary.")
    failure: TransferFailure | None = Field(description="Why it failed, or null.")
    created_at: str = Field(description="When you requested it.")
    completed_at: str | None = Field(
        description="When the money was sent, or null if it was returned."
    )
    metadata: dict[str, str] = Field(description="Your own metadata, as you sent it.")


_TRANSFER = {
    "id": "trf_01k2z4m8j0b2h4m6p8s0v2x4z6",
    "currency": "USD",
    "amount_minor": 25_000,
    "fee_minor": 0,
    "reference": "INV-42",
    "beneficiary_id": "ben_01k2z4m8h1n3q5s7u9w1y3a5c7",
    "created_at": "2026-09-01T09:30:00Z",
    "metadata": {"invoice": "42"},
}
_TRANSFERS: dict[TransferOutcome, tuple[str, TransferData]] = {
    "completed": (
        "A transfer was completed.",
        TransferData.model_validate(
            _TRANSFER
            | {"status": "completed", "failure": None, "completed_at": "2026-09-01T09:30:01Z"}
        ),
    ),
    "failed": (
        "A transfer failed and the money was returned.",
        TransferData.model_validate(
            _TRANSFER
            | {
                "status": "failed",
                "failure": {
                    "code": "rejected_by_network",
                    "message": "The network did not take it.",
                },
                "completed_at": None,
            }
        ),
    ),
}


def register() -> None:
    """Register the event types. Call only from AppConfig.ready()."""
    public_kinds.register(
        PublicKind(
            name="virtual_account.active",
            summary="A virtual account has its number and can receive money.",
            sample=_ACCOUNT,
            sources={"virtual_account.active": _tell_account},
        ),
        PublicKind(
            name="deposit.settled",
            summary="Money arrived and was added to the balance.",
            sample=_DEPOSIT,
            sources={"deposit.settled": _tell_deposit},
        ),
    )
    for outcome, (summary, sample) in _TRANSFERS.items():
        name = f"transfer.{outcome}"
        public_kinds.register(
            PublicKind(name=name, summary=summary, sample=sample, sources={name: _tell_transfer})
        )


def _tell_account(event: Event, account: VirtualAccount) -> Told:
    data = VirtualAccountData.model_validate(
        {
            "id": account.public_id,
            "status": str(account.status),
            "currency": account.currency,
            "account_name": account.account_name,
            "account_number": account.account_number,
            "bank_name": account.bank_name,
            "customer_id": account.customer_id,
            "account_type": str(account.account_type),
            "reference": account.reference or None,
            "metadata": account.metadata,
            "created_at": clock.iso(account.created_at),
            "reasons": account.reasons,
        }
    )
    return _told(account, data)


def _tell_deposit(event: Event, deposit: Deposit) -> Told:
    assert deposit.settled_at is not None
    data = DepositData.model_validate(
        {
            "id": deposit.public_id,
            "status": str(deposit.status),
            "environment": str(deposit.environment),
            "currency": deposit.currency,
            "amount_minor": deposit.amount,
            "source": str(deposit.source),
            "source_reference": deposit.source_reference or None,
            "provider_reference": deposit.provider_reference,
            "virtual_account_id": deposit.virtual_account_id,
            # Checkout sessions receive their money elsewhere, and accounts do not expire.
            "checkout_session_id": None,
            "late": False,
            "settled_at": clock.iso(deposit.settled_at),
            "metadata": deposit.metadata,
        }
    )
    return _told(deposit, data)


def _tell_transfer(event: Event, transfer: Transfer) -> Told:
    data = TransferData.model_validate(
        {
            "id": transfer.public_id,
            "status": str(transfer.status),
            "currency": transfer.currency,
            "amount_minor": transfer.amount,
            "fee_minor": 0,
            "reference": transfer.reference,
            "beneficiary_id": transfer.beneficiary_id,
            "failure": transfer.failure,
            "created_at": clock.iso(transfer.created_at),
            "completed_at": clock.iso(transfer.completed_at) if transfer.completed_at else None,
            "metadata": transfer.metadata,
        }
    )
    return _told(transfer, data)


def _told(row: VirtualAccount | Deposit | Transfer, data: PublicData) -> Told:
    return Told(
        business=row.business_id,
        resource_id=row.public_id,
        data=data,
        environments=(row.environment,),
    )
