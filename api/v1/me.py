"""GET /me: everything that the gateway knows about the calling key."""

from datetime import UTC, datetime
from functools import lru_cache

from api.gateway import versions
from api.gateway.calls import ApiAnswer, Call
from api.gateway.rate_limits import LimitState
from api.gateway.records import KeyRecord
from api.gateway.versions import LATEST
from apikeys import networks
from apikeys.lifecycle import KeyStatus
from console.core import clock


def me(call: Call) -> ApiAnswer:
    """Read what the gateway knows about the calling key.

    It answers from the key's record: nothing is looked up.
    """
    described = _described(call.record, call.version, versions.of(call).sunset_at, call.ip)
    limits = [_limit(state) for state in call.admission.limits_of_key(call)]
    return ApiAnswer({**described, "limits": limits})


@lru_cache(maxsize=1024)
def _described(
    record: KeyRecord, version: str, sunset: datetime | None, ip: str
) -> dict[str, object]:
    """Describe all that stays the same while a key, its grant and its business do.

    Its limits only have their place in it.
    """
    return {
        "object": "api_context",
        "business": {
            "id": record.business_id,
            "name": record.business_name,
            "status": record.business_status,
            # The contract has the member. Our judgement of a business is not for its systems.
            "risk_tier": None,
        },
        "key": _key(record, ip),
        "products": record.products,
        "limits": None,
        "api_version": {
            "pinned": record.api_version or LATEST,
            "used": version,
            "latest": LATEST,
            "sunset": sunset.date().isoformat() if sunset else None,
        },
        "client_ip": ip,
    }


def _key(record: KeyRecord, ip: str) -> dict[str, object]:
    business, key = record.business_networks, record.key_networks
    return {
        "id": record.key_id,
        "name": record.key_name,
        "environment": record.environment,
        "scopes": record.scopes,
        "expires_at": _iso(record.expires_at),
        "rotation": _rotation(record),
        "allowlist": {"business": business, "key": key, "matched": _matched(ip, key or business)},
    }


def _rotation(record: KeyRecord) -> dict[str, object] | None:
    """Tell whose turn it is: the new secret's first use, or the end of the old one's grace."""
    if record.key_status != KeyStatus.ROTATING or record.former_ends_at is None:
        return None
    state = "awaiting_first_use" if record.awaits_first_use else "grace"
    return {"state": state, "old_secret_ends_at": _iso(record.former_ends_at)}


def _matched(ip: str, listed: tuple[str, ...]) -> str | None:
    """Return the network that let this call in: the key's own where it has a list."""
    return networks.match(ip, listed) if listed else None


def _iso(seconds: float) -> str:
    return clock.iso(datetime.fromtimestamp(seconds, UTC))


def _limit(state: LimitState) -> dict[str, object]:
    policy, _, remaining, _ = state
    return {
        "policy": policy.name,
        "quota": policy.quota,
        "window": policy.window,
        "remaining": remaining,
    }
