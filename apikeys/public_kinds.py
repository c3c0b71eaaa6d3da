"""Public event kinds of keys, allowlists and API access."""

from typing import Any, Literal

from pydantic import Field

from apikeys.models import ApiKey, Grant
from console.accounts.lifecycle import Access
from console.accounts.models import Business
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

KeyStatusName = Literal["active", "rotating", "disabled", "revoked", "expired"]


class ApiKeyData(PublicData):
    """A key, without its secret."""

    id: str = Field(description="The ID of the key: the part before the colon.")
    object: Literal["api_key"] = Field(default="api_key", description="The object type.")
    name: str = Field(description="The name of the key.")
    environment: EnvironmentName = Field(description="The environment of the key.")
    status: KeyStatusName = Field(description="The status of the key.")
    scopes: list[str] = Field(description="The scopes of the key.")
    created_at: str = Field(description="When it was created.")
    expires_at: str = Field(description="When the key expires.")


class ChangedApiKeyData(ApiKeyData):
    """A key whose status changed."""

    previous: PreviousStatus = Field(description="The previous status.")


class PreviousNetworks(PublicData):
    """The networks of an allowlist before the change."""

    networks: list[str] = Field(description="The previous networks.")


class AllowlistData(PublicData):
    """The networks from which keys may call: those of the business or of one key."""

    id: str = Field(description="The ID of the allowlist. For a key’s own list, the ID of the key.")
    object: Literal["allowlist"] = Field(default="allowlist", description="The object type.")
    environment: EnvironmentName = Field(description="The environment of the allowlist.")
    key_id: str | None = Field(
        description="The key that owns the list, or null for the business’s list."
    )
    networks: list[str] = Field(description="The networks. Empty if every address may call.")
    previous: PreviousNetworks = Field(description="The previous networks.")


class ApiAccessData(PublicData):
    """A business and its access status."""

    id: str = Field(description="The id of the business.")
    object: Literal["business"] = Field(default="business", description="The object type.")
    name: str = Field(description="The name of the business.")
    status: Literal["active", "suspended"] = Field(description="The access status of the business.")
    previous: PreviousStatus = Field(description="The previous status.")


_EXAMPLE = {
    "id": "svc_test_4Zk8Qm2Xw7Rt1Yp9",
    "name": "Payments server",
    "environment": "sandbox",
    "status": "active",
    "scopes": ["balances:read", "transfers:write"],
    "created_at": "2026-08-29T12:00:00Z",
    "expires_at": "2026-11-27T12:00:00Z",
}


def register() -> None:
    """Register the event kinds. Call from AppConfig.ready() only."""
    public_kinds.register(
        _of_key("key.created", "A key was created."),
        _of_key("key.rotated", "The old secret of a key stopped working.", was="rotating"),
        _of_key("key.revoked", "A key was revoked.", was="active", status="revoked"),
        _of_key("key.expiring", "A key expires in 30, 14, 7 or 1 days."),
        PublicKind(
            name="network.changed",
            summary="An allowlist changed.",
            sample=AllowlistData(
                id="grt_01k3vq6t9z8q4j7m2n5p0r1s3t",
                environment="live",
                key_id=None,
                networks=["203.0.113.0/24"],
                previous=PreviousNetworks(networks=["198.51.100.7/32"]),
            ),
            sources={"network.changed": _tell_networks},
        ),
        _of_access("access.suspended", "Our compliance team suspended the keys of your business.",
                   was="active", status="suspended"),
        _of_access("access.restored", "The keys of your business work again.",
                   was="suspended", status="active"),
    )  # fmt: skip


def _of_key(name: str, summary: str, *, was: str = "", status: str = "active") -> PublicKind:
    """Return an event kind for keys. `was` adds the previous status."""
    schema = ChangedApiKeyData if was else ApiKeyData

    def tell(event: Event, key: ApiKey) -> Told:
        members: dict[str, Any] = {
            "id": key.public_id,
            "name": key.name,
            "environment": str(key.environment),
            "status": str(key.status),
            "scopes": list(key.scopes),
            "created_at": clock.iso(key.issued_at),
            "expires_at": clock.iso(key.expires_at),
        }
        if was:
            members["previous"] = {"status": event.payload.get("was", was)}
        return Told(
            business=key.grant.business_id,
            resource_id=key.public_id,
            data=schema.model_validate(members),
            environments=(key.environment,),
        )

    before = {"previous": {"status": was}} if was else {}
    sample = schema.model_validate(_EXAMPLE | {"status": status} | before)
    return PublicKind(name=name, summary=summary, sample=sample, sources={name: tell})


def _of_access(
    name: str, summary: str, *, was: str, status: Literal["active", "suspended"]
) -> PublicKind:
    """Return an event kind for a business's access."""

    def data(public_id: str, business_name: str) -> ApiAccessData:
        return ApiAccessData(
            id=public_id, name=business_name, status=status, previous=PreviousStatus(status=was)
        )

    def tell(event: Event, business: Business) -> Told:
        assert business.status == Access(status)
        return Told(
            business=business.pk,
            resource_id=business.public_id,
            data=data(business.public_id, business.name),
        )

    sample = data("biz_01k3vq6t9z8q4j7m2n5p0r1s3t", "Lagoon Logistics Ltd")
    return PublicKind(name=name, summary=summary, sample=sample, sources={name: tell})


def _tell_networks(event: Event, subject: Grant | ApiKey) -> Told:
    grant = subject.grant if isinstance(subject, ApiKey) else subject
    data = AllowlistData.model_validate(
        {
            "id": subject.public_id,
            "environment": str(grant.environment),
            "key_id": subject.public_id if isinstance(subject, ApiKey) else None,
            "networks": list(subject.networks),
            "previous": {"networks": event.payload["was"]},
        }
    )
    return Told(
        business=grant.business_id,
        resource_id=subject.public_id,
        data=data,
        environments=(grant.environment,),
    )
