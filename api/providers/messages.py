"""What providers answer and tell us, as docs/provider-protocol.yaml describes it."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,140}$")]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=140)]
# At most 15 digits before the point and 8 after it. JSON numbers are refused: they lose digits.
DecimalText = Annotated[str, StringConstraints(pattern=r"^-?[0-9]{1,15}(\.[0-9]{1,8})?$")]
FailureReason = Literal[
    "rejected_by_bank",
    "account_closed",
    "insufficient_funds",
    "not_supported",
    "limit_exceeded",
    "compliance",
    "other",
]


class _Message(BaseModel):
    """A message of version 1. Members that a later version adds are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class InstructionAnswer(_Message):
    """Where an instruction is."""

    id: Id
    status: Literal["accepted", "completed", "failed"]
    reason: FailureReason | None = None
    provider_reference: Line = ""


class AccountAnswer(_Message):
    """Where the issuing of an account is."""

    id: Id
    status: Literal["pending", "issued", "refused"]
    account_number: Annotated[str, StringConstraints(max_length=34)] = ""
    bank_name: Annotated[str, StringConstraints(max_length=100)] = ""
    reason: str | None = None


class CardAnswer(_Message):
    """What became of a card that was ordered. An issued one has its digits and its expiry."""

    id: Id
    status: Literal["pending", "issued", "refused"]
    last4: Annotated[str, StringConstraints(pattern=r"^([0-9]{4})?$")] = ""
    expiry_month: int = Field(1, ge=1, le=12)
    expiry_year: int = Field(0, ge=0, le=9999)
    reason: str | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.status == "issued" and not (self.last4 and self.expiry_year):
            raise ValueError("an issued card needs last4, expiry_month and expiry_year")
        return self


class Movement(_Message):
    """A movement of a statement: money in is positive."""

    object: Id | None
    provider_reference: Line
    amount: DecimalText
    at: datetime
    account: Id | None = None


class Statement(_Message):
    """One day of a business's money in one currency, in UTC."""

    business: Id
    currency: str
    date: date
    opening: DecimalText
    closing: DecimalText
    movements: list[Movement]

    @property
    def adds_up(self) -> bool:
        moved = sum((Decimal(one.amount) for one in self.movements), Decimal(0))
        return Decimal(self.opening) + moved == Decimal(self.closing)


EventType = Literal[
    "instruction.completed",
    "instruction.failed",
    "account.issued",
    "account.refused",
    "deposit.received",
    "card.activated",
    "card.used",
    "card.terminated",
]


class ProviderEventMessage(_Message):
    """What happened, and to which object of ours. `sequence` grows for each object."""

    id: Id
    sequence: int = Field(ge=0, lt=2**63)
    type: EventType
    object: Id
    occurred_at: datetime
    data: dict[str, Any] = {}


class CompletedData(_Message):
    """`data` of `instruction.completed`."""

    provider_reference: Line = ""


class FailedData(_Message):
    """`data` of `instruction.failed` and `account.refused`."""

    reason: FailureReason | None = None


class IssuedData(_Message):
    """`data` of `account.issued`."""

    account_number: Annotated[str, StringConstraints(min_length=1, max_length=34)]
    bank_name: Annotated[str, StringConstraints(min_length=1, max_length=100)]


class ReceivedData(_Message):
    """`data` of `deposit.received`."""

    amount: DecimalText
    currency: str
    provider_reference: Annotated[Line, Field(min_length=1)]
    source_reference: Line = ""
    payer_name: Annotated[Line, Field(min_length=1)]


class UsedData(_Message):
    """`data` of `card.used`."""

    amount: DecimalText
    currency: str
    provider_reference: Annotated[Line, Field(min_length=1)]
    merchant_name: Annotated[Line, Field(min_length=1)]


class NoData(_Message):
    """`data` of events that say everything by their type."""


DATA: dict[str, type[_Message]] = {
    "instruction.completed": CompletedData,
    "instruction.failed": FailedData,
    "account.issued": IssuedData,
    "account.refused": FailedData,
    "deposit.received": ReceivedData,
    "card.activated": NoData,
    "card.used": UsedData,
    "card.terminated": NoData,
}
