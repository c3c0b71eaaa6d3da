"""Public event types for deposits, which have no URL of their own in the API."""

from functools import partial
from typing import Literal

from pydantic import Field

from api.payments.models import Deposit
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


class UnsettledDepositData(DepositData):
    """Money that arrived and is not in the balance. The amount is in minor units."""

    status: Literal["held", "returned", "reversed"] = Field(  # type: ignore[assignment]
        description="`held` until you accept or return it, until its account is unfrozen, or in"
        " live until its payer is checked."
    )
    reason: str | None = Field(
        description="Why it does not count towards its checkout session, as in `payments`, or null."
    )
    settled_at: str | None = Field(  # type: ignore[assignment]
        description="When it was added to the balance, or null."
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
    virtual_account_id="vac_01k2z4m8k1c3j5n7q9t1w3y5a7",
    checkout_session_id=None,
    late=False,
    settled_at="2026-09-01T09:31:00Z",
    metadata={},
)


_UNSETTLED = UnsettledDepositData(
    **_DEPOSIT.model_dump()
    | {
        "status": "held",
        "virtual_account_id": None,
        "checkout_session_id": "cs_7q2m4k9p1r6t8w3y5z0b2d4f6h",
        "late": True,
        "settled_at": None,
        "reason": "late",
    }
)


def register() -> None:
    """Register the event types. Call only from AppConfig.ready()."""
    public_kinds.register(
        PublicKind(
            name="deposit.settled",
            summary="Money arrived and was added to the balance.",
            sample=_DEPOSIT,
            sources={"deposit.settled": partial(_tell_deposit, DepositData)},
        ),
        _unsettled(
            "held",
            "Money arrived that does not count yet: too late, in another currency, on a frozen"
            " account, or in live before its payer is checked. Accept or return the money of a"
            " checkout session.",
        ),
        _unsettled("returned", "You returned held money to its payer."),
        _unsettled("reversed", "The provider took a payment back."),
    )


def _unsettled(status: str, summary: str) -> PublicKind:
    return PublicKind(
        name=f"deposit.{status}",
        summary=summary,
        sample=_UNSETTLED.model_copy(update={"status": status}),
        sources={f"deposit.{status}": partial(_tell_deposit, UnsettledDepositData)},
    )


def _tell_deposit(shape: type[DepositData], event: Event, deposit: Deposit) -> Told:
    data = shape.model_validate(
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
            "settled_at": clock.iso(deposit.settled_at) if deposit.settled_at else None,
            "metadata": deposit.metadata,
        }
        | ({"reason": deposit.not_applied or None} if shape is UnsettledDepositData else {})
    )
    return Told(
        business=deposit.business_id,
        resource_id=deposit.public_id,
        data=data,
        environments=(deposit.environment,),
    )
