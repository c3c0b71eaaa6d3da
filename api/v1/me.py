"""GET /me: the calling key, its business, and every limit."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import throttling
from api.serializers import IdField, ObjectField, ResourceSerializer
from api.v1.examples.balances import ME
from api.versioning import LATEST, VERSIONS
from api.viewsets import ResourceViewSet, operation
from apikeys import allowed_networks
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey


class ContextBusinessSerializer(ResourceSerializer):
    """The business that a key belongs to."""

    id = IdField(help_text="The id of the business.")
    name = serializers.CharField(help_text="The registered name of the business.")
    status = serializers.CharField(help_text="`active` while we accept its calls.")
    risk_tier = serializers.CharField(
        allow_null=True, help_text="Always null. We do not publish the risk tier of a business."
    )


class ContextRotationSerializer(ResourceSerializer):
    """The rotation of a key’s secret."""

    state = serializers.CharField(
        help_text="`awaiting_first_use` until the new secret is used, then `grace`."
    )
    old_secret_ends_at = serializers.DateTimeField(help_text="When the old secret stops working.")


class ContextAllowlistSerializer(ResourceSerializer):
    """The networks that may use the key, and the network that matched this call."""

    business = serializers.ListField(
        child=serializers.CharField(), help_text="The business’s allowed networks."
    )
    key = serializers.ListField(
        child=serializers.CharField(), help_text="The key’s own allowed networks."
    )
    matched = serializers.CharField(
        allow_null=True,
        help_text="The allowed network that matched this call. Null if there is no allowlist.",
    )


class ContextKeySerializer(ResourceSerializer):
    """The key of this call, without its secret."""

    id = IdField(help_text="The ID of the key: the part before the colon.")
    name = serializers.CharField(help_text="The name of the key.")
    environment = serializers.ChoiceField(
        choices=["sandbox", "live"], help_text="The environment of the key."
    )
    scopes = serializers.ListField(
        child=serializers.CharField(), help_text="The scopes of the key."
    )
    expires_at = serializers.DateTimeField(help_text="When the key expires.")
    rotation = ContextRotationSerializer(
        allow_null=True, help_text="The status of the rotation, or null if there is none."
    )
    allowlist = ContextAllowlistSerializer(help_text="The networks that may use the key.")


class ContextLimitSerializer(ResourceSerializer):
    """A rate limit and what is left of it. A limit with window 0 counts calls in progress."""

    policy = serializers.CharField(source="policy.name", help_text="The name of the limit.")
    quota = serializers.IntegerField(
        source="policy.quota",
        help_text="The number of calls that the limit allows in each window.",
    )
    window = serializers.IntegerField(source="policy.window", help_text="The window, in seconds.")
    remaining = serializers.IntegerField(
        help_text="The number of calls left now, including bursts."
    )


class ContextVersionSerializer(ResourceSerializer):
    """The API version of this call."""

    pinned = serializers.CharField(
        help_text="The version of calls that do not send `Service-Version`."
    )
    used = serializers.CharField(help_text="The version of this call.")
    latest = serializers.CharField(help_text="The newest version.")
    sunset = serializers.DateField(
        allow_null=True,
        help_text="The date from which we refuse this version, or null.",
    )


class ApiContextSerializer(ResourceSerializer):
    """GET /me: everything about the calling key."""

    object = ObjectField("api_context")
    business = ContextBusinessSerializer(help_text="The business of the key.")
    key = ContextKeySerializer(help_text="The key of this call, without its secret.")
    products = serializers.ListField(
        child=serializers.CharField(),
        help_text="The products enabled for the business in this environment.",
    )
    limits = ContextLimitSerializer(
        many=True, help_text="All rate limits of the key and what is left of each."
    )
    api_version = ContextVersionSerializer(help_text="The API version of this call.")
    client_ip = serializers.CharField(help_text="The IP address of this call.")


class MeViewSet(ResourceViewSet):
    """The calling key."""

    product = "balances"
    resource = "me"
    needs_provider = False
    serializer_class = ApiContextSerializer

    @operation(verb="read", example=ME)
    def list(self, request: Request) -> Response:
        """Read everything about the calling key.

        The limits include this call.
        """
        grant, business = self.grant, self.business
        used = str(request.version or LATEST)
        sunset = VERSIONS[used].sunset_at
        context = {
            "business": {
                "public_id": business.public_id,
                "name": business.name,
                "status": business.status,
                # The contract has this field, but we do not disclose our assessment of a business.
                "risk_tier": None,
            },
            "key": _key(self.key, self.ip),
            "products": grant.products,
            "limits": throttling.every_limit(grant, self.limits),
            "api_version": {
                "pinned": grant.api_version or LATEST,
                "used": used,
                "latest": LATEST,
                "sunset": sunset.date() if sunset else None,
            },
            "client_ip": self.ip,
        }
        return self.answer(context)


def _key(key: ApiKey, ip: str) -> dict[str, Any]:
    business, own = key.grant.networks, key.networks
    return {
        "public_id": key.public_id,
        "name": key.name,
        "environment": key.environment,
        "scopes": key.scopes,
        "expires_at": key.expires_at,
        "rotation": _rotation(key),
        "allowlist": {"business": business, "key": own, "matched": _matched(ip, own or business)},
    }


def _rotation(key: ApiKey) -> dict[str, Any] | None:
    """Return the rotation's state: awaiting the new secret's first use, or in its grace period."""
    if key.status != KeyStatus.ROTATING or key.former_ends_at is None:
        return None
    state = "awaiting_first_use" if key.secret_used_at is None else "grace"
    return {"state": state, "old_secret_ends_at": key.former_ends_at}


def _matched(ip: str, listed: list[str]) -> str | None:
    """Return the network that allowed this call, from the key's own list if it has one."""
    return allowed_networks.match(ip, tuple(listed)) if listed else None
