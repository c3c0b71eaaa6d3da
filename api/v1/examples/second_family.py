"""Example calls of the second family: orders, quotations and sub-accounts."""

from collections.abc import Mapping
from typing import Any

from api.operations import OperationExample

_META = {"timestamp": "2026-09-01T09:30:00Z"}
_SUB_ACCOUNT_BODY = {"email": "kiosk@shop.example"}
_SUB_ACCOUNT = {
    "reference": "sub_01k2z4m8m6e5k7p9s1v3x5z7b9",
    **_SUB_ACCOUNT_BODY,
    "status": "pending",
    "createdAt": "2026-09-01T09:30:00Z",
}


def _result(
    message: str, data: Any, body: Mapping[str, Any] | None, **names: str
) -> OperationExample:
    answer = {"success": True, "message": message, "data": data, "meta": _META}
    return OperationExample(answer, body, names)


def _moved(message: str, status: str) -> OperationExample:
    moved = {**_SUB_ACCOUNT, "status": status}
    return _result(message, moved, None, id=_SUB_ACCOUNT["reference"])


NEW_SUB_ACCOUNT = _result("Sub-account created successfully", _SUB_ACCOUNT, _SUB_ACCOUNT_BODY)
ACTIVATED_SUB_ACCOUNT = _moved("Sub-account activated", "active")
REJECTED_SUB_ACCOUNT = _moved("Sub-account rejected", "rejected")
SUSPENDED_SUB_ACCOUNT = _moved("Sub-account suspended", "suspended")
LIFTED_SUB_ACCOUNT = _moved("Suspension lifted", "active")
CLOSED_SUB_ACCOUNT = _moved("Sub-account closed", "closed")
_ORDER_BODY = {
    "reference": "INV-2026-118",
    "currency_code": "NGN",
    "amount": 12500.5,
    "description": "Coffee beans, 25 kg",
    "customer": {
        "first_name": "Ada",
        "last_name": "Obi",
        "email": "ada@shop.example",
        "phone_number": "+2348012345678",
    },
}
NEW_ORDER = _result(
    "Operation Successful",
    {
        "recipient_name": "Kettle & Cloud Ltd",
        "reference": "INV-2026-118",
        "amount": "12500.50",
        "currencyCode": "NGN",
        "url": "https://checkout.example/checkout/cs_7q2m4k9p1r6t8w3y5z0b2d4f6h",
        "channels": ["bank_transfer"],
    },
    _ORDER_BODY,
)
NEW_QUOTATION = _result(
    "Operation successful",
    [
        {
            "from": "USD",
            "to": "NGN",
            "fromAmount": 100.0,
            "toAmount": 147500.0,
            "rate": 1475.0,
            "value": 147500.0,
            "fromAmountInUSD": 100.0,
            "fromAmountInUSDRate": 1.0,
            "id": "quo_01k2z4m8n7f6m8r0t2w4y6a8c0",
            "expiration": 60,
        }
    ],
    {"from": "USD", "to": "NGN", "amount": 100},
)
