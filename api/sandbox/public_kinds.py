"""Public event type for deposits, which have no URL of their own in the API."""

from typing import Literal

from pydantic import Field

from api.sandbox.models import Deposit
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import EnvironmentName, PublicData, PublicKind, Told


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
    late: bool = Field(
        description="Whether it arrived after its session ended, or before you cancelled it."
    )
    settled_at: str = Field(description="When it was added to the balance.")
    metadata: dict[str, str] = Field(description="Your own metadata.")


_DEPOSIT = DepositData(
    id="dep_01k3vq6t9z8q4j7m2n5p0r1s3u",
    status="settled",
    environment="sandbox",
    currency="NGN",
    amount_minor=150_000,
    source="bank_transfer",
    source_reference="FT26244BZ1",
    provider_reference="PRV-778810",
    virtual_account_id="vac_01k2z4m8k1c3j5n7q9t1w3y5a7",
    checkout_session_id=None,
    late=False,
    settled_at="2026-09-01T09:31:00Z",
    metadata={},
)


def register() -> None:
    """Register the event types. Call only from AppConfig.ready()."""
    public_kinds.register(
        PublicKind(
            name="deposit.settled",
            summary="Money arrived and was added to the balance.",
            sample=_DEPOSIT,
            sources={"deposit.settled": _tell_deposit},
        ),
    )


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
            "checkout_session_id": deposit.checkout_session_id,
            "late": deposit.is_late,
            "settled_at": clock.iso(deposit.settled_at),
            "metadata": deposit.metadata,
        }
    )
    return Told(
        business=deposit.business_id,
        resource_id=deposit.public_id,
        data=data,
        environments=(deposit.environment,),
    )
