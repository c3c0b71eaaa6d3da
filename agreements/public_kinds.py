"""Public event types and object of agreement packs, for the business's systems."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PreviousStatus, PublicData, PublicKind, Told

# Public name of each status; internal steps have no name of their own.
_PUBLIC = {
    PackStatus.GENERATED: "in_preparation",
    PackStatus.IN_REVIEW: "ready_to_read",
    PackStatus.READY_TO_SIGN: "ready_to_sign",
    PackStatus.PARTLY_SIGNED: "partly_signed",
    PackStatus.SIGNED: "signed",
    PackStatus.COUNTERSIGNING: "signed",
    PackStatus.EXECUTED: "executed",
}


class AgreementPackData(PublicData):
    """The documents of an agreement, which are read, signed once, and sealed."""

    id: str = Field(description="The id of the pack.")
    object: Literal["agreement_pack"] = Field(default="agreement_pack", description="What this is.")
    number: str = Field(description="The number that its documents name.")
    status: Literal["ready_to_read", "signed", "executed"] = Field(description="Where it stands.")
    expires_at: str | None = Field(description="Until when it can be signed.")
    signed_at: str | None = Field(description="When your signatory signed it; null before.")
    executed_at: str | None = Field(description="When both sides were bound by it; null before.")
    previous: PreviousStatus = Field(description="What it was before.")


_EXAMPLE: dict[str, str | None] = {
    "id": "pak_01k3vq6t9z8q4j7m2n5p0r1s3t",
    "number": "AGP-2026-000042",
    "expires_at": "2026-09-28T12:00:00Z",
    "signed_at": None,
    "executed_at": None,
}
_SIGNED: dict[str, str | None] = {"signed_at": "2026-09-02T09:30:00Z"}
_EXECUTED: dict[str, str | None] = {"executed_at": "2026-09-04T15:00:00Z"}


def register() -> None:
    """Register the kinds. Call only from AppConfig.ready()."""
    public_kinds.register(
        PublicKind(
            name="pack.ready_to_read",
            summary="The documents of your agreement are ready: your signatory can read them.",
            sample=_data(_EXAMPLE, PackStatus.GENERATED, PackStatus.IN_REVIEW),
            sources={"pack.in_review": _tell},
        ),
        PublicKind(
            name="pack.signed",
            summary="Your signatory signed the agreement; our approvals come next.",
            sample=_data(_EXAMPLE | _SIGNED, PackStatus.READY_TO_SIGN, PackStatus.SIGNED),
            sources={"pack.signed": _tell},
        ),
        PublicKind(
            name="pack.executed",
            summary="The agreement is countersigned and sealed: its copies can be downloaded.",
            sample=_data(
                _EXAMPLE | _SIGNED | _EXECUTED, PackStatus.COUNTERSIGNING, PackStatus.EXECUTED
            ),
            sources={"pack.executed": _tell},
        ),
    )


def _tell(event: Event, pack: Pack) -> Told | None:
    """Suppress the event when a pack returns to reading because an acceptance was withdrawn."""
    if (event.payload["was"], pack.status) == (PackStatus.READY_TO_SIGN, PackStatus.IN_REVIEW):
        return None
    members = {
        "id": pack.public_id,
        "number": pack.number,
        "expires_at": _moment(pack.expires_at),
        "signed_at": _moment(pack.signed_at),
        "executed_at": _moment(pack.executed_at),
    }
    return Told(
        business=pack.business_id,
        resource_id=pack.public_id,
        data=_data(members, event.payload["was"], pack.status),
    )


def _data(members: dict[str, str | None], was: str, now: str) -> AgreementPackData:
    statuses = {
        "status": _PUBLIC[PackStatus(now)],
        "previous": {"status": _PUBLIC[PackStatus(was)]},
    }
    return AgreementPackData.model_validate(members | statuses)


def _moment(at: datetime | None) -> str | None:
    return None if at is None else clock.iso(at)
