"""Example calls of checkout sessions and their test helpers."""

from typing import Any

from api.examples import CREATED, REQUEST, making, reading
from api.operations import OperationExample

_ID = "cs_7q2m4k9p1r6t8w3y5z0b2d4f6h"
_BODY = {
    "amount": "1500.00",
    "currency": "NGN",
    "method": "bank_transfer",
    "reference": "ORD-1001",
    "description": "Coffee beans, 1 kg",
    "customer": {"name": "Ada Obi", "email": "ada@shop.example"},
    "success_url": "https://shop.example/paid",
    "cancel_url": "https://shop.example/cart",
    "expires_in": 3600,
    "metadata": {"basket": "b-118"},
}
_OPEN: dict[str, Any] = {
    "id": _ID,
    "object": "checkout_session",
    "status": "awaiting_payment",
    "amount_paid": None,
    "amount_outstanding": "1500.00",
    "amount_late": "0.00",
    "payments": [],
    "expires_at": "2026-09-01T10:30:00Z",
    "checkout_url": f"https://checkout.example/checkout/{_ID}",
    "instructions": {
        "amount": "1500.00",
        "currency": "NGN",
        "expires_at": "2026-09-01T10:30:00Z",
        "account_number": "9618033989",
        "account_name": "Kettle & Cloud Ltd",
        "bank_name": "Sandbox Bank",
    },
    "deposit_id": None,
    "paid_at": None,
    **{name: value for name, value in _BODY.items() if name != "expires_in"},
    "customer": {"name": "Ada Obi", "email": "ada@shop.example", "phone": None},
    **CREATED,
}
_PAYMENT_BODY = {"amount": "1550.00"}
_PAYMENT: dict[str, Any] = {
    "id": "dep_01k2z4m8m2d4k6p8r0v2x4z6c9",
    **_PAYMENT_BODY,
    "currency": "NGN",
    "source": "bank_transfer",
    "source_reference": None,
    "provider_reference": "sbx_01k2z4m8m2d4k6p8r0v2x4z6e1",
    "seen_at": "2026-09-01T09:45:00Z",
    "status": "settled",
    "applied": True,
    "reason": None,
}
CHECKOUT_SESSION = _OPEN | {
    "status": "paid",
    "amount_paid": "1550.00",
    "amount_outstanding": "0.00",
    "payments": [_PAYMENT],
    "deposit_id": _PAYMENT["id"],
    "paid_at": _PAYMENT["seen_at"],
}
NEW = making(_OPEN, _BODY)
NEW_PAYMENT = OperationExample(
    {"payment": _PAYMENT, "session": CHECKOUT_SESSION, **REQUEST}, _PAYMENT_BODY, {"id": _ID}
)


def of_status(status: str) -> OperationExample:
    """Return the example of an action that ends the session without a payment."""
    return reading(_OPEN | {"status": status})


def _decided(status: str) -> OperationExample:
    late = _PAYMENT | {"status": status, "applied": False, "reason": "late"}
    names = {"id": _ID, "payment_id": _PAYMENT["id"]}
    answer = {**_OPEN, "status": "expired", "payments": [late], **REQUEST}
    return OperationExample(answer, None, names)


LATE_ACCEPTED = _decided("settled")
LATE_RETURNED = _decided("returned")
