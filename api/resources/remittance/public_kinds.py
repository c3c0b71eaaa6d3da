"""The public kinds of a transfer: that its money is gone, or back."""

from typing import Literal

from pydantic import Field

from api.sandbox.models import Transfer
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PublicData, PublicKind, Told

TransferOutcome = Literal["completed", "failed"]


class TransferFailure(PublicData):
    """Why a transfer failed."""

    code: str = Field(description="The reason, for machines.")
    message: str = Field(description="The reason, in words.")


class TransferData(PublicData):
    """A transfer. Amounts are in minor units of the currency."""

    id: str = Field(description="The id of the transfer.")
    object: Literal["transfer"] = Field(default="transfer", description="What this is.")
    status: TransferOutcome = Field(description="Whether the money is gone, or back.")
    currency: str = Field(description="The currency or asset.")
    amount_minor: int = Field(description="The amount in minor units.")
    fee_minor: int = Field(description="What it costs beside the amount, in minor units.")
    reference: str = Field(description="What the recipient is told.")
    beneficiary_id: str | None = Field(description="The id of who receives it.")
    failure: TransferFailure | None = Field(description="Why it failed; null while it has not.")
    created_at: str = Field(description="When you asked for it.")
    completed_at: str | None = Field(description="When the money was gone; null where it is back.")
    metadata: dict[str, str] = Field(description="Your own texts, as you sent them.")


_EXAMPLE = {
    "id": "trf_01k2z4m8j0b2h4m6p8s0v2x4z6",
    "currency": "USD",
    "amount_minor": 25_000,
    "fee_minor": 0,
    "reference": "INV-42",
    "beneficiary_id": "ben_01k2z4m8h1n3q5s7u9w1y3a5c7",
    "created_at": "2026-09-01T09:30:00Z",
    "metadata": {"invoice": "42"},
}
_SAMPLES: dict[TransferOutcome, tuple[str, TransferData]] = {
    "completed": (
        "The money of a transfer is gone.",
        TransferData.model_validate(
            _EXAMPLE
            | {"status": "completed", "failure": None, "completed_at": "2026-09-01T09:30:01Z"}
        ),
    ),
    "failed": (
        "A transfer failed, and its money is back.",
        TransferData.model_validate(
            _EXAMPLE
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
    """Register the kinds. Called from AppConfig.ready(), nowhere else."""
    for outcome, (summary, sample) in _SAMPLES.items():
        name = f"transfer.{outcome}"
        public_kinds.register(
            PublicKind(name=name, summary=summary, sample=sample, sources={name: _tell})
        )


def _tell(event: Event, transfer: Transfer) -> Told:
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
    return Told(
        business=transfer.business_id,
        resource_id=transfer.public_id,
        data=data,
        environments=(transfer.environment,),
    )
