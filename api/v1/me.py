"""GET /me: the calling key, its business, and every limit."""

from typing import Any

from api import throttling
from api.gateway.operations import ApiAnswer, Call
from api.rate_limits import LimitState
from api.versioning import LATEST, VERSIONS
from apikeys import networks
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.core import clock


def me(call: Call) -> ApiAnswer:
    """Read everything about the calling key.

    Limits are as this call left them.
    """
    grant, key, business = call.grant, call.key, call.business
    assert key is not None
    sunset = VERSIONS[call.version].sunset_at
    return ApiAnswer(
        {
            "object": "api_context",
            "business": {
                "id": business.public_id,
                "name": business.name,
                "status": business.status,
                # The contract has the member. Our judgement of a business is not for its systems.
                "risk_tier": None,
            },
            "key": _key(key, call.ip),
            "products": grant.products,
            "limits": [_limit(state) for state in throttling.every_limit(grant, call.limits)],
            "api_version": {
                "pinned": grant.api_version or LATEST,
                "used": call.version,
                "latest": LATEST,
                "sunset": sunset.date().isoformat() if sunset else None,
            },
            "client_ip": call.ip,
        }
    )


def _key(key: ApiKey, ip: str) -> dict[str, Any]:
    business, own = key.grant.networks, key.networks
    return {
        "id": key.public_id,
        "name": key.name,
        "environment": key.environment,
        "scopes": key.scopes,
        "expires_at": clock.iso(key.expires_at),
        "rotation": _rotation(key),
        "allowlist": {"business": business, "key": own, "matched": _matched(ip, own or business)},
    }


def _rotation(key: ApiKey) -> dict[str, Any] | None:
    """Tell whose turn it is: the new secret's first use, or the end of the old one's grace."""
    if key.status != KeyStatus.ROTATING or key.former_ends_at is None:
        return None
    state = "awaiting_first_use" if key.secret_used_at is None else "grace"
    return {"state": state, "old_secret_ends_at": clock.iso(key.former_ends_at)}


def _matched(ip: str, listed: list[str]) -> str | None:
    """Return the network that let this call in: the key's own where it has a list."""
    return networks.match(ip, tuple(listed)) if listed else None


def _limit(state: LimitState) -> dict[str, Any]:
    return {
        "policy": state.policy.name,
        "quota": state.policy.quota,
        "window": state.policy.window,
        "remaining": state.remaining,
    }
