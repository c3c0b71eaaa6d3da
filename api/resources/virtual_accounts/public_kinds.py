"""The public kinds of a virtual account and of a deposit: that it has a number, that money came."""

from typing import Literal

from pydantic import Field

from api.sandbox.models import Deposit, VirtualAccount
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import EnvironmentName, PublicData, PublicKind, Told


class VirtualAccountData(PublicData):
    """A virtual account."""

    id: str = Field(description="The id of the account.")
    object: Literal["virtual_account"] = Field(
        default="virtual_account", description="What this is."
    )
    status: Literal["active"] = Field(description="That money can arrive.")
    currency: str = Field(description="The currency that it takes.")
    account_name: str = Field(description="In whose name it is.")
    account_number: str = Field(description="The number that payers transfer to.")
    bank_name: str = Field(description="The bank that keeps it.")
    customer_id: str | None = Field(description="The id of the customer that it is for; or null.")
    account_type: Literal["dedicated", "temporary"] = Field(
        description="Whether it stands by itself, or serves one payment."
    )
    reference: str | None = Field(description="What you call it; or null.")
    metadata: dict[str, str] = Field(description="Your own texts, as you sent them.")
    created_at: str = Field(description="When you asked for it.")
    reasons: list[str] = Field(description="What the provider lacks; nothing once it is active.")


class DepositData(PublicData):
    """Money that arrived. The amount is in minor units of the currency."""

    id: str = Field(description="The id of the deposit.")
    object: Literal["deposit"] = Field(default="deposit", description="What this is.")
    status: Literal["settled"] = Field(description="That it is in the balance.")
    environment: EnvironmentName = Field(description="Where it arrived.")
    currency: str = Field(description="The currency or asset.")
    amount_minor: int = Field(description="The amount in minor units.")
    source: Literal["bank_transfer", "crypto", "service_tag"] = Field(description="How it came.")
    source_reference: str | None = Field(description="What its sender called it; or null.")
    provider_reference: str = Field(
        description="What the provider calls it. The same one counts once."
    )
    virtual_account_id: str | None = Field(
        description="The id of the account on which it arrived; null where it came otherwise."
    )
    checkout_session_id: str | None = Field(
        description="The id of the checkout session that it paid; or null."
    )
    late: bool = Field(description="Whether it came after its checkout session had ended.")
    settled_at: str = Field(description="When it was in the balance.")
    metadata: dict[str, str] = Field(description="Your own texts.")


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


def register() -> None:
    """Register the kinds. Called from AppConfig.ready(), nowhere else."""
    public_kinds.register(
        PublicKind(
            name="virtual_account.active",
            summary="A virtual account has its number: money can arrive.",
            sample=_ACCOUNT,
            sources={"virtual_account.active": _tell_account},
        ),
        PublicKind(
            name="deposit.settled",
            summary="Money arrived, and is in the balance.",
            sample=_DEPOSIT,
            sources={"deposit.settled": _tell_deposit},
        ),
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
            # Checkout sessions take their money elsewhere, and an account never ends.
            "checkout_session_id": None,
            "late": False,
            "settled_at": clock.iso(deposit.settled_at),
            "metadata": deposit.metadata,
        }
    )
    return _told(deposit, data)


def _told(row: VirtualAccount | Deposit, data: PublicData) -> Told:
    return Told(
        business=row.business_id,
        resource_id=row.public_id,
        data=data,
        environments=(row.environment,),
    )
