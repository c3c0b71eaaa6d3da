"""One good call of each operation, as the documentation shows it. A test sends every one."""

from collections.abc import Mapping
from typing import Any

from api.gateway.operations import OperationExample

_REQUEST = {"request_id": "req_01k2z4m8c5v7b9n1q3w5e7r9t0"}
CREATED = {"created_at": "2026-09-01T09:30:00Z"}
_PAYOUT_BODY = {
    "amount": "1250.00",
    "currency": "NGN",
    "bank_account": {
        "account_name": "Ada Obi",
        "country": "NG",
        "account_number": "0123456789",
        "bank_code": "044",
    },
    "reference": "Invoice 2026-118",
    "metadata": {"invoice": "2026-118"},
}
PAYOUT = {
    "id": "pay_01k2z4m8e6x8d0g2j4n6q8s0v2",
    "object": "payout",
    "status": "completed",
    **_PAYOUT_BODY,
    "failure_reason": None,
    **CREATED,
}
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
_CUSTOMER_BODY = {
    "external_customer_id": "C-1001",
    "customer_type": "individual",
    "legal_name": "Ada Obi",
    "first_name": "Ada",
    "last_name": "Obi",
    "email": "ada@shop.example",
    "phone": "+2348012345678",
    "country": "NG",
    "address": {"line1": "1 Marina", "city": "Lagos", "country": "NG"},
    "date_of_birth": "1990-05-17",
    "metadata": {"segment": "retail"},
}
_CUSTOMER_CHANGE = {
    "email": "ada.obi@shop.example",
    "phone": "+2348012345679",
    "metadata": {"segment": "wholesale"},
}
CUSTOMER = {
    "id": "cus_01k2z4m8g8z0f2j4m6q8s0v2x4",
    "object": "customer",
    **_CUSTOMER_BODY,
    **CREATED,
}
_BENEFICIARY_BODY = {
    "name": "Kwame Mensah",
    "country": "GH",
    "currency": "GHS",
    "account": {
        "account_name": "Kwame Mensah",
        "country": "GH",
        "account_number": "0123456789012",
        "bank_code": "GH030100",
    },
    "metadata": {"payroll": "yes"},
}
BENEFICIARY = {
    "id": "ben_01k2z4m8h9a1g3k5n7r9t1w3y5",
    "object": "beneficiary",
    **_BENEFICIARY_BODY,
    **CREATED,
}
_TRANSFER_BODY = {
    "beneficiary_id": BENEFICIARY["id"],
    "amount": "250.00",
    "currency": "USD",
    "reference": "INV-42",
    "metadata": {"invoice": "42"},
}
TRANSFER = {
    "id": "trf_01k2z4m8j0b2h4m6p8s0v2x4z6",
    "object": "transfer",
    "status": "completed",
    **_TRANSFER_BODY,
    "quote_id": None,
    "rate": None,
    "destination_currency": "GHS",
    "destination_amount": None,
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": "2026-09-01T09:30:01Z",
}


def page_of(*items: Mapping[str, Any]) -> OperationExample:
    """Return the example of a list that holds these."""
    ends = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return OperationExample({"object": "list", "data": list(items), **ends, **_REQUEST})


def reading(item: Mapping[str, Any]) -> OperationExample:
    """Return the example of an object that is read by its id."""
    return OperationExample({**item, **_REQUEST}, names={"id": item["id"]})


def making(item: Mapping[str, Any], body: Mapping[str, Any]) -> OperationExample:
    """Return the example of an object that is made of this body."""
    return OperationExample({**item, **_REQUEST}, body)


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
        **_REQUEST,
    }
)
BALANCES = page_of(
    _balance("NGN", "1000000.00", "0.00"),
    _balance("USDT", "100000.000000", "0.000000"),
)
USAGE = page_of(
    {
        "object": "usage",
        "day": "2026-09-01",
        "operation": "payouts.create",
        "calls": 118,
        "errors": 3,
    }
)
NEW_PAYOUT = making(PAYOUT, _PAYOUT_BODY)
NEW_CUSTOMER = making(CUSTOMER, _CUSTOMER_BODY)
CHANGED_CUSTOMER = OperationExample(
    {**CUSTOMER, **_CUSTOMER_CHANGE, **_REQUEST}, _CUSTOMER_CHANGE, {"id": CUSTOMER["id"]}
)
NEW_BENEFICIARY = making(BENEFICIARY, _BENEFICIARY_BODY)
DELETED_BENEFICIARY = reading({"id": BENEFICIARY["id"], "object": "beneficiary", "deleted": True})
CORRIDORS = page_of(
    {
        "object": "corridor",
        "source_currency": "USD",
        "destination_country": "GH",
        "destination_currency": "GHS",
        "rails": ["bank", "mobile_money"],
        "min_amount": "0.01",
        "max_amount": "5000000.00",
        "delivery_estimate": "within minutes",
    }
)
NEW_TRANSFER = making(TRANSFER, _TRANSFER_BODY)
