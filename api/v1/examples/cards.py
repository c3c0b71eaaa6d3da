"""Example calls of cardholders, cards and card payments."""

from typing import Any

from api.examples import CREATED, making, reading
from api.operations import OperationExample

_HOLDER_BODY: dict[str, Any] = {
    "first_name": "Ada",
    "last_name": "Obi",
    "date_of_birth": "1990-05-17",
    "country": "NG",
    "address": {"line1": "1 Marina", "city": "Lagos", "country": "NG"},
    "metadata": {"team": "field"},
}
CARDHOLDER: dict[str, Any] = {
    "id": "chd_01k2z4m8n3e5m7q9s1w3y5a7c9",
    "object": "cardholder",
    **_HOLDER_BODY,
    **CREATED,
}
_CARD_BODY: dict[str, Any] = {
    "cardholder_id": CARDHOLDER["id"],
    "card_type": "virtual",
    "currency": "USD",
    "label": "Fuel",
    "metadata": {"team": "field"},
}
CARD: dict[str, Any] = {
    "id": "crd_01k2z4m8p4f6n8r0t2x4z6b8d0",
    "object": "card",
    "status": "active",
    **_CARD_BODY,
    "last4": "4242",
    "expiry_month": 9,
    "expiry_year": 2029,
    **CREATED,
}
_PAYMENT_BODY: dict[str, Any] = {"amount": "42.00", "merchant_name": "Filling Station Ikeja"}
CARD_TRANSACTION: dict[str, Any] = {
    "id": "ctx_01k2z4m8q5g7p9s1v3y5a7c9e1",
    "object": "card_transaction",
    "card_id": CARD["id"],
    "status": "completed",
    **_PAYMENT_BODY,
    "currency": "USD",
    "failure": None,
    **CREATED,
    "completed_at": "2026-09-01T09:30:00Z",
}


def of_status(status: str, card_type: str = "virtual") -> OperationExample:
    """Return the example of an action that leaves the card in a status."""
    return reading({**CARD, "status": status, "card_type": card_type})


NEW_CARDHOLDER = making(CARDHOLDER, _HOLDER_BODY)
NEW_CARD = making(CARD, _CARD_BODY)
NEW_CARD_TRANSACTION = OperationExample(
    reading(CARD_TRANSACTION).answer, _PAYMENT_BODY, {"id": CARD["id"]}
)
