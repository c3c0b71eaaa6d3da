"""Public event kinds of applications."""

from typing import Literal

from pydantic import Field

from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PreviousStatus, PublicData, PublicKind, Told
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application

PublicStatus = Literal["submitted", "returned", "cleared", "declined"]
_SUMMARIES: dict[PublicStatus, str] = {
    "submitted": "An application for API access was submitted, and is being reviewed.",
    "returned": "Our reviewers ask for changes to the application.",
    "cleared": "The application passed our review; the agreement comes next.",
    "declined": "The application was declined.",
}

# Sending a pack back returns its application too. Releasing a hold sends no event.
_SOURCES: dict[PublicStatus, list[str]] = {
    "returned": ["application.returned", "application.sent_back", "application.authority_refused"]
}


class ApplicationData(PublicData):
    """An application for API access."""

    id: str = Field(description="The id of the application.")
    object: Literal["application"] = Field(default="application", description="What this is.")
    status: PublicStatus = Field(description="Where it stands.")
    submitted_at: str = Field(description="When it was last submitted.")
    previous: PreviousStatus = Field(description="What it was before.")


def register() -> None:
    """Register the kinds. Called from AppConfig.ready(), nowhere else."""
    for status, summary in _SUMMARIES.items():
        public_kinds.register(
            PublicKind(
                name=f"application.{status}",
                summary=summary,
                sample=ApplicationData(
                    id="app_01k3vq6t9z8q4j7m2n5p0r1s3t",
                    status=status,
                    submitted_at="2026-08-29T12:00:00Z",
                    previous=PreviousStatus(
                        status="draft" if status == "submitted" else "submitted"
                    ),
                ),
                sources=dict.fromkeys(_SOURCES.get(status, [f"application.{status}"]), _tell),
            )
        )


def _tell(event: Event, application: Application) -> Told | None:
    """Return the public data, without revealing a hold: to the business it is in review throughout.

    Return None for an application that the business has withdrawn, whatever we decide afterwards.
    """
    if application.withdrawn_at is not None or application.submitted_at is None:
        return None
    was = event.payload["was"]
    if was == ApplicationStatus.HELD:
        was = ApplicationStatus.SUBMITTED
    return Told(
        business=application.business_id,
        resource_id=application.public_id,
        data=ApplicationData.model_validate(
            {
                "id": application.public_id,
                "status": str(application.status),
                "submitted_at": clock.iso(application.submitted_at),
                "previous": {"status": str(was)},
            }
        ),
    )
