"""One good call of each operation, as the documentation shows it. A test sends every one."""

from typing import Any

from api.gateway.operations import OperationExample
from console.core.money import CURRENCIES

_REQUEST = "req_01k2z4m8c5v7b9n1q3w5e7r9t0"
_PAYOUT_ID = "pay_01k2z4m8e6x8d0g2j4n6q8s0v2"
_ACCOUNT = {
    "account_name": "Ada Obi",
    "country": "NG",
    "account_number": "0123456789",
    "bank_code": "044",
}
_BODY = {
    "amount": "1250.00",
    "currency": "NGN",
    "bank_account": _ACCOUNT,
    "reference": "Invoice 2026-118",
    "metadata": {"invoice": "2026-118"},
}
_PAID = {
    "id": _PAYOUT_ID,
    "object": "payout",
    "status": "completed",
    "amount": "1250.00",
    "currency": "NGN",
    "bank_account": _ACCOUNT,
    "reference": "Invoice 2026-118",
    "failure_reason": None,
    "metadata": {"invoice": "2026-118"},
    "created_at": "2026-09-01T09:30:00Z",
}


def _balance(currency: str, available: str, nothing: str) -> dict[str, Any]:
    return {
        "object": "balance",
        "currency": CURRENCIES[currency].code,
        "available": available,
        "pending": nothing,
        "reserved": nothing,
        "total": available,
        "last_reconciled_at": "2026-09-01T06:00:00Z",
    }


def _list(*data: dict[str, Any]) -> dict[str, Any]:
    ends = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return {"object": "list", "data": list(data), **ends, "request_id": _REQUEST}


ME = OperationExample(
    {
        "object": "api_context",
        "business": {
            "id": "biz_01k2z4m8a3t5y7v9p1s3d5f7g9",
            "name": "Kettle & Cloud Ltd",
            "status": "active",
            "risk_tier": "LOW",
        },
        "key": {
            "id": "svc_test_4Zk8Qm2Xw7Rt1Yp9",
            "name": "Backend, staging",
            "environment": "sandbox",
            "scopes": ["balances:read", "payouts:read", "payouts:write"],
            "expires_at": "2027-09-01T09:00:00Z",
            "rotation": None,
            "allowlist": {"business": ["203.0.113.0/24"], "key": [], "matched": "203.0.113.0/24"},
        },
        "products": ["balances", "payouts", "webhooks"],
        "limits": [
            {"policy": "default", "quota": 25, "window": 1, "remaining": 49},
            {"policy": "endpoint", "quota": 10, "window": 1, "remaining": 19},
        ],
        "api_version": {
            "pinned": "2026-08-29",
            "used": "2026-08-29",
            "latest": "2026-08-29",
            "sunset": None,
        },
        "client_ip": "203.0.113.20",
        "request_id": _REQUEST,
    }
)
BALANCES = OperationExample(
    _list(
        _balance("NGN", "1000000.00", "0.00"),
        _balance("USDT", "100000.000000", "0.000000"),
    )
)
PAYOUTS = OperationExample(_list(_PAID))
PAYOUT = OperationExample(_PAID | {"request_id": _REQUEST}, names={"id": _PAYOUT_ID})
NEW_PAYOUT = OperationExample(_PAID | {"request_id": _REQUEST}, body=_BODY)
