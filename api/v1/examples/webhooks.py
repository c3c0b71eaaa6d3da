"""Example calls of webhook endpoints, deliveries and events."""

from typing import Any

from api.examples import CREATED, making, page_of, reading
from api.operations import OperationExample
from api.v1.examples.accounts import VIRTUAL_ACCOUNT

_BODY: dict[str, Any] = {
    "url": "https://hooks.example.com/events",
    "enabled_events": ["deposit.settled", "transfer.completed", "transfer.failed"],
    "description": "Payments server",
}
ENDPOINT: dict[str, Any] = {
    "id": "whe_01k2z4m8j0b2h4m6p8s0v2x4z6",
    "object": "webhook_endpoint",
    **_BODY,
    "environment": "sandbox",
    "status": "active",
    "consecutive_failures": 0,
    "last_success_at": None,
    "last_failure_at": None,
    "last_error": None,
    **CREATED,
    "api_version": "2026-08-29",
    "verification": {
        "status": "unverified",
        "verified_at": None,
        "method": None,
        "last_result": None,
    },
    "paused_reason": None,
    "breaker": {"state": "closed", "next_probe_at": None},
    "previous_secret_expires_at": None,
    "pending_deliveries": 0,
}
_NAMES = {"id": ENDPOINT["id"]}
_SECRET = {"signing_secret": "whsec_c2FtcGxlIG9ubHk6IHRoaXMgc2VjcmV0IHNpZ25zIG5vdGhpbmch"}
_CHANGE = {"status": "paused"}
_DELIVERY: dict[str, Any] = {
    "id": "whd_01k2z4m8m5p7r9t1v3x5z7b9d1",
    "object": "webhook_delivery",
    "endpoint_id": ENDPOINT["id"],
    "event_id": "evt_01k2z4m8k3n5q7s9u1w3y5a7c9",
    "event_type": "webhook_endpoint.ping",
    "kind": "ping",
    "status": "pending",
    "attempt_count": 0,
    "next_attempt_at": CREATED["created_at"],
    **CREATED,
    "completed_at": None,
}
EVENT: dict[str, Any] = {
    "id": "evt_01k2z4m8k3n5q7s9u1w3y5a7c9",
    "object": "event",
    "type": "virtual_account.active",
    "created_at": "2026-09-01T09:30:01.482Z",
    "environment": "sandbox",
    "api_version": "2026-08-29",
    "sequence": 1,
    "data": VIRTUAL_ACCOUNT,
}
_ATTEMPT = {
    "number": 1,
    "at": "2026-09-01T09:30:01Z",
    "status": 200,
    "error": None,
    "signed_with": "current",
    "dns_us": 1_204,
    "connect_us": 22_310,
    "first_byte_us": 61_987,
    "total_us": 62_045,
    "response_excerpt": "ok",
}
_VERIFICATION: dict[str, Any] = {
    "id": "whp_01k2z4m8n6q8s0u2w4y6a8c0e2",
    "object": "webhook_verification",
    "endpoint_id": ENDPOINT["id"],
    "status": "running",
    **CREATED,
    "completed_at": None,
}
_REPLAY_BODY = {"statuses": ["exhausted"]}

NEW_ENDPOINT = making(ENDPOINT | _SECRET, _BODY)
CHANGED_ENDPOINT = OperationExample(
    reading(ENDPOINT | _CHANGE | {"paused_reason": "merchant"}).answer, _CHANGE, _NAMES
)
REMOVED_ENDPOINT = OperationExample({}, None, _NAMES)
ROTATED_ENDPOINT = reading(
    ENDPOINT | _SECRET | {"previous_secret_expires_at": "2026-09-02T09:30:00Z"}
)
VERIFICATION = OperationExample(reading(_VERIFICATION).answer, None, _NAMES)
VERIFICATION_RESULT = reading(
    _VERIFICATION
    | {
        "status": "failed",
        "completed_at": "2026-09-01T09:30:20Z",
        "method": None,
        "results": [
            {
                "request": "N4",
                "passed": False,
                "expected": "4xx",
                "response_status": 200,
                "error": None,
                "explanation": (
                    "Your endpoint accepted a delivery whose timestamp was 6 minutes old."
                ),
            }
        ],
    }
)
PING = OperationExample(reading(_DELIVERY).answer, None, _NAMES)
DELIVERIES = OperationExample(page_of(_DELIVERY).answer, None, _NAMES)
_REPLAY = {
    "id": "whr_01k2z4m8p7r9t1v3x5z7b9d1f3",
    "object": "webhook_replay",
    "endpoint_id": ENDPOINT["id"],
    "dry_run": False,
    "status": "running",
    "count": 12,
    "queued": 0,
    "since": "2026-08-02T09:31:00Z",
    "until": "2026-09-01T09:30:00Z",
    **CREATED,
}
REPLAY = OperationExample(reading(_REPLAY).answer, _REPLAY_BODY, _NAMES)
REPLAYED = _REPLAY | {"status": "done", "queued": 12}
DELIVERY = reading(
    _DELIVERY
    | {
        "status": "delivered",
        "attempt_count": 1,
        "next_attempt_at": None,
        "completed_at": "2026-09-01T09:30:01Z",
        "attempts": [_ATTEMPT],
        "request_body": '{"id":"evt_01k2z4m8k3n5q7s9u1w3y5a7c9","object":"event",...}',
    }
)
RESENT_DELIVERY = reading(_DELIVERY | {"kind": "replay"})
