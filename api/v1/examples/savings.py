"""Example calls of savings."""

from typing import Any

from api.examples import CREATED, making, reading
from api.operations import OperationExample

_BODY = {"name": "Taxes", "currency": "NGN", "metadata": {"year": "2026"}}
SAVINGS = {
    "id": "sav_01k2z4m8s7j9r1v3x5a7c9e1g3",
    "object": "savings",
    **_BODY,
    "balance": "2500.00",
    **CREATED,
}
_MOVEMENT_BODY = {"amount": "2500.00"}
MOVEMENT: dict[str, Any] = {
    "id": "svm_01k2z4m8t8k0s2w4y6b8d0f2h4",
    "object": "savings_movement",
    "savings_id": SAVINGS["id"],
    "direction": "deposit",
    "status": "completed",
    **_MOVEMENT_BODY,
    "currency": "NGN",
    "failure": None,
    **CREATED,
    "completed_at": "2026-09-01T09:30:01Z",
}


def _movement(direction: str) -> OperationExample:
    answer = reading(MOVEMENT | {"direction": direction}).answer
    return OperationExample(answer, _MOVEMENT_BODY, {"id": str(SAVINGS["id"])})


NEW = making({**SAVINGS, "balance": "0.00"}, _BODY)
DEPOSIT, WITHDRAWAL = _movement("deposit"), _movement("withdrawal")
