"""Example calls that every key can make: the key itself, balances, movements and usage."""

from typing import Any

from api.examples import CREATED, REQUEST
from api.operations import OperationExample
from api.v1.examples.payouts import PAYOUT

TRANSACTION = {
    "id": "txn_01k2z4m8f7y9e1h3k5p7r9t1w3",
    "object": "transaction",
    "type": "payout",
    "amount": "1250.00",
    "currency": "NGN",
    "direction": "debit",
    "from_account": "reserved",
    "to_account": "external",
    "balance_after": "998750.00",
    "source": PAYOUT["id"],
    **CREATED,
}


def _balance(currency: str, available: str, nothing: str) -> dict[str, Any]:
    return {
        "object": "balance",
        "currency": currency,
        "available": available,
        "pending": nothing,
        "reserved": nothing,
        "total": available,
        "last_reconciled_at": "2026-09-01T06:00:00Z",
    }


ME = OperationExample(
    {
        "object": "api_context",
        "business": {
            "id": "biz_01k2z4m8a3t5y7v9p1s3d5f7g9",
            "name": "Kettle & Cloud Ltd",
            "status": "active",
            "risk_tier": None,
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
        **REQUEST,
    }
)
BALANCES = (
    _balance("NGN", "1000000.00", "0.00"),
    _balance("USDT", "100000.000000", "0.000000"),
)
USAGE = {
    "object": "usage",
    "day": "2026-09-01",
    "operation": "payouts.create",
    "calls": 118,
    "errors": 3,
}
