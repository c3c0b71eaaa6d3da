"""Public event kinds of webhook endpoints: paused, verified, or no longer verified."""

from typing import Any, Literal

from pydantic import Field

from apikeys.webhooks.models import WebhookEndpoint
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import (
    EnvironmentName,
    PreviousStatus,
    PublicData,
    PublicKind,
    Told,
)

StatusName = Literal["active", "paused"]
VerificationName = Literal["unverified", "verified", "lapsed"]


class VerificationData(PublicData):
    """Whether the endpoint proved that it checks our signatures."""

    status: VerificationName = Field(description="Whether it passed.")
    verified_at: str | None = Field(description="When it last passed, or null.")
    method: str | None = Field(description="The method, or null.")


class VerificationBefore(PublicData):
    """Whether the endpoint was verified before."""

    status: VerificationName = Field(description="Whether it had passed.")


class PreviousVerification(PublicData):
    """The verification of an endpoint before the change."""

    verification: VerificationBefore = Field(description="The previous verification.")


class WebhookEndpointData(PublicData):
    """Your address that receives events."""

    id: str = Field(description="The id of the endpoint.")
    object: Literal["webhook_endpoint"] = Field(
        default="webhook_endpoint", description="The object type."
    )
    url: str = Field(description="The address that receives events.")
    description: str = Field(description="Your description of the endpoint.")
    environment: EnvironmentName = Field(description="The environment of its events.")
    enabled_events: list[str] = Field(description="The event types that it receives.")
    status: StatusName = Field(description="`active` while we deliver events.")
    paused_reason: Literal["merchant", "failing", "gone", "abuse"] | None = Field(
        description="Why it is paused: by you, because it failed, answered 410, or by us; or null."
    )
    verification: VerificationData = Field(
        description="Whether the endpoint proved that it checks our signatures."
    )
    created_at: str = Field(description="When you created it.")


class PausedEndpointData(WebhookEndpointData):
    """A webhook endpoint whose status changed."""

    previous: PreviousStatus = Field(description="The previous status.")


class ProbedEndpointData(WebhookEndpointData):
    """A webhook endpoint whose verification changed."""

    previous: PreviousVerification = Field(description="The previous verification.")


_EXAMPLE: dict[str, Any] = {
    "id": "whe_01k3vq6t9z8q4j7m2n5p0r1s3t",
    "url": "https://hooks.example.com/events",
    "description": "Payments server",
    "environment": "live",
    "enabled_events": ["deposit.settled", "transfer.completed"],
    "status": "active",
    "paused_reason": None,
    "verification": {
        "status": "verified",
        "verified_at": "2026-09-01T09:30:00Z",
        "method": "probe",
    },
    "created_at": "2026-08-29T12:00:00Z",
}


def register() -> None:
    """Register the event kinds. Call from AppConfig.ready() only."""
    paused = {"status": "paused", "paused_reason": "gone", "previous": {"status": "active"}}
    verified = _before("unverified")
    lapsed = _before("verified") | {"verification": _EXAMPLE["verification"] | {"status": "lapsed"}}
    public_kinds.register(
        PublicKind(
            name="webhook_endpoint.paused",
            summary="We paused an endpoint, or you did. We hold its events until you resume it.",
            sample=PausedEndpointData.model_validate(_EXAMPLE | paused),
            sources={"webhook_endpoint.paused": _tell_paused},
        ),
        PublicKind(
            name="webhook_endpoint.verified",
            summary="An endpoint passed verification.",
            sample=ProbedEndpointData.model_validate(_EXAMPLE | verified),
            sources={"webhook_endpoint.verified": _tell_probed},
        ),
        PublicKind(
            name="webhook_endpoint.lapsed",
            summary="The verification of an endpoint lapsed.",
            sample=ProbedEndpointData.model_validate(_EXAMPLE | lapsed),
            sources={"webhook_endpoint.lapsed": _tell_probed},
        ),
    )


def _tell_probed(event: Event, endpoint: WebhookEndpoint) -> Told:
    members = _members(endpoint) | _before(event.payload["was"])
    return _told(endpoint, ProbedEndpointData.model_validate(members))


def _before(verification: str) -> dict[str, Any]:
    return {"previous": {"verification": {"status": verification}}}


def _tell_paused(event: Event, endpoint: WebhookEndpoint) -> Told:
    # Our staff may also stop an endpoint that was already paused.
    was = event.payload["was"] or str(endpoint.status)
    members = _members(endpoint) | {"previous": {"status": was}}
    return _told(endpoint, PausedEndpointData.model_validate(members))


def _members(endpoint: WebhookEndpoint) -> dict[str, Any]:
    at = endpoint.verified_at
    return {
        "id": endpoint.public_id,
        "url": endpoint.url,
        "description": endpoint.description,
        "environment": str(endpoint.environment),
        "enabled_events": list(endpoint.enabled_events),
        "status": str(endpoint.status),
        "paused_reason": str(endpoint.paused_reason) or None,
        "verification": {
            "status": str(endpoint.verification),
            "verified_at": None if at is None else clock.iso(at),
            "method": endpoint.verification_method or None,
        },
        "created_at": clock.iso(endpoint.created_at),
    }


def _told(endpoint: WebhookEndpoint, data: PublicData) -> Told:
    return Told(
        business=endpoint.business_id,
        resource_id=endpoint.public_id,
        data=data,
        environments=(endpoint.environment,),
    )
