"""GET /me: everything that the gateway knows about the calling key."""

from datetime import UTC, datetime
from functools import lru_cache

from api.gateway.calls import ApiAnswer, Call
from api.gateway.limiter import LimitState
from api.gateway.records import KeyRecord
from api.gateway.versions import LATEST
from console.core import clock


def me(call: Call) -> ApiAnswer:
    """Answer from the key's record: nothing is looked up."""
    record = call.record
    return ApiAnswer(
        {
            "object": "api_context",
            "business": {
                "id": record.business_id,
                "name": record.business_name,
                "status": record.business_status,
                "risk_tier": record.tier or None,
            },
            "key": _key(record),
            "products": record.products,
            "limits": [_limit(state) for state in call.limit_states],
            "api_version": {
                "pinned": record.api_version or LATEST,
                "used": call.version,
                "latest": LATEST,
                "sunset": None,
            },
            "client_ip": call.ip,
        }
    )


def _key(record: KeyRecord) -> dict[str, object]:
    return {
        "id": record.key_id,
        "name": record.key_name,
        "environment": record.environment,
        "scopes": record.scopes,
        "expires_at": _iso(record.expires_at),
        "rotation": None,
        "allowlist": {"business": [], "key": [], "matched": None},
    }


@lru_cache(maxsize=4096)
def _iso(seconds: float) -> str:
    return clock.iso(datetime.fromtimestamp(seconds, UTC))


def _limit(state: LimitState) -> dict[str, object]:
    return {
        "policy": state.policy.name,
        "quota": state.policy.rate,
        "window": 1,
        "remaining": state.remaining,
    }
