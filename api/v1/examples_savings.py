"""Good calls of savings."""

from typing import Any

from api.gateway.operations import OperationExample
from api.v1.examples import CUSTOMER, reading

_CREATED = {"created_at": CUSTOMER["created_at"]}
_BODY = {"name": "Taxes", "currency": "NGN", "metadata": {"year": "2026"}}
SAVINGS = {
    "id": "sav_01k2z4m8s7j9r1v3x5a7c9e1g3",
    "object": "savings",
    **_BODY,
    "balance": "2500.00",
    **_CREATED,
}
_MOVEMENT_BODY = {"amount": "2500.00"}


def _movement(direction: str) -> OperationExample:
    answer: dict[str, Any] = {
        "id": "svm_01k2z4m8t8k0s2w4y6b8d0f2h4",
        "object": "savings_movement",
        "savings_id": SAVINGS["id"],
        "direction": direction,
        "status": "completed",
        **_MOVEMENT_BODY,
        "currency": "NGN",
        "failure": None,
        **_CREATED,
        "completed_at": "2026-09-01T09:30:01Z",
    }
    return OperationExample(reading(answer).answer, _MOVEMENT_BODY, {"id": str(SAVINGS["id"])})


NEW = OperationExample(reading({**SAVINGS, "balance": "0.00"}).answer, _BODY)
DEPOSIT, WITHDRAWAL = _movement("deposit"), _movement("withdrawal")
