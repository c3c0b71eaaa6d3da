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
from apikeys import networks
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey


class ContextBusiness(ResourceSerializer):
    """The business that a key belongs to."""

    id = IdField(help_text="The id of the business.")
    name = serializers.CharField(help_text="Its registered name.")
    status = serializers.CharField(help_text="`active` while its calls are served.")
    risk_tier = serializers.CharField(
        allow_null=True, help_text="Always null: we do not publish how we rate a business."
    )


class ContextRotation(ResourceSerializer):
    """How far the exchange of a key's secret has come."""

    state = serializers.CharField(
        help_text="`awaiting_first_use` until the new secret is used, then `grace`."
    )
    old_secret_ends_at = serializers.DateTimeField(help_text="When the old secret stops.")


class ContextAllowlist(ResourceSerializer):
    """The networks that may use the key: of the business, of the key, and the one that matched."""

    business = serializers.ListField(
        child=serializers.CharField(), help_text="Networks of the business."
    )
    key = serializers.ListField(
        child=serializers.CharField(), help_text="Networks of the key itself."
    )
    matched = serializers.CharField(
        allow_null=True, help_text="The network that let this call in; null where no list is kept."
    )


class ContextKey(ResourceSerializer):
    """The key that calls. Never its secret."""

    id = IdField(help_text="The id of the key: the half before the colon.")
    name = serializers.CharField(help_text="What its people call it.")
    environment = serializers.ChoiceField(
        choices=["sandbox", "live"], help_text="The world that the key belongs to."
    )
    scopes = serializers.ListField(child=serializers.CharField(), help_text="What the key may do.")
    expires_at = serializers.DateTimeField(help_text="When the key ends.")
    rotation = ContextRotation(
        allow_null=True, help_text="How far a rotation has come; null when none is under way."
    )
    allowlist = ContextAllowlist(help_text="From where the key may be used.")


class ContextLimit(ResourceSerializer):
    """A limit and what is left of it; one whose window is 0 counts the calls in flight."""

    policy = serializers.CharField(source="policy.name", help_text="The name of the limit.")
    quota = serializers.IntegerField(
        source="policy.quota", help_text="Calls that come back in each window."
    )
    window = serializers.IntegerField(source="policy.window", help_text="The window, in seconds.")
    remaining = serializers.IntegerField(help_text="Calls that are left now, bursts included.")


class ContextVersion(ResourceSerializer):
    """Which version this call speaks."""

    pinned = serializers.CharField(help_text="The version that calls speak which name none.")
    used = serializers.CharField(help_text="The version that this call speaks.")
    latest = serializers.CharField(help_text="The newest version.")
    sunset = serializers.DateField(
        allow_null=True,
        help_text="The day from which the used version is refused; null while none is set.",
    )


class ApiContext(ResourceSerializer):
    """GET /me: everything that the API knows about the calling key."""

    object = ObjectField("api_context")
    business = ContextBusiness(help_text="The business that the key belongs to.")
    key = ContextKey(help_text="The key that calls. Never its secret.")
    products = serializers.ListField(
        child=serializers.CharField(), help_text="Products that are on for the business here."
    )
    limits = ContextLimit(many=True, help_text="Every limit of the key, with what is left.")
    api_version = ContextVersion(help_text="Which version this call speaks.")
    client_ip = serializers.CharField(help_text="The address that we saw you call from.")


class Me(ResourceViewSet):
    """The calling key."""

    product = "balances"
    resource = "me"
    needs_provider = False
    serializer_class = ApiContext

    @operation(verb="read", example=ME)
    def list(self, request: Request) -> Response:
        """Read everything about the calling key.

        Limits are as this call left them.
        """
        grant, business = self.grant, self.business
        used = str(request.version or LATEST)
        sunset = VERSIONS[used].sunset_at
        context = {
            "business": {
                "public_id": business.public_id,
                "name": business.name,
                "status": business.status,
                # The contract has the member. Our judgement of a business is not for its systems.
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
    """Tell whose turn it is: the new secret's first use, or the end of the old one's grace."""
    if key.status != KeyStatus.ROTATING or key.former_ends_at is None:
        return None
    state = "awaiting_first_use" if key.secret_used_at is None else "grace"
    return {"state": state, "old_secret_ends_at": key.former_ends_at}


def _matched(ip: str, listed: list[str]) -> str | None:
    """Return the network that let this call in: the key's own where it has a list."""
    return networks.match(ip, tuple(listed)) if listed else None
