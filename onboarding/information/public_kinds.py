"""The public event of requests for information."""

from typing import Literal

from pydantic import Field

from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PublicData, PublicKind, Told
from onboarding.information.models import InformationRequest


class InformationRequestData(PublicData):
    """Our reviewers ask for information about an application. The console shows what they ask."""

    id: str = Field(description="The id of the request.")
    object: Literal["information_request"] = Field(
        default="information_request", description="What this is."
    )
    application: str = Field(description="The id of the application.")
    questions: int = Field(description="How many questions it has.")
    due_at: str = Field(description="By when we need the answers.")


def register() -> None:
    """Register the kind. Called from AppConfig.ready(), nowhere else."""
    public_kinds.register(
        PublicKind(
            name="information.requested",
            summary="Our reviewers ask for information about an application.",
            sample=InformationRequestData(
                id="rfi_01k3vq6t9z8q4j7m2n5p0r1s3t",
                application="app_01k3vq6t9z8q4j7m2n5p0r1s3t",
                questions=2,
                due_at="2026-09-12T12:00:00Z",
            ),
            sources={"information_request.asked": _tell, "information_request.reopened": _tell},
        )
    )


def _tell(_event: Event, asked: InformationRequest) -> Told:
    return Told(
        business=asked.application.business_id,
        resource_id=asked.public_id,
        data=InformationRequestData(
            id=asked.public_id,
            application=asked.application.public_id,
            questions=asked.items.count(),
            due_at=clock.iso(asked.due_at),
        ),
    )
