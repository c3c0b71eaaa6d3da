"""Example calls of virtual accounts, their test helpers, and refunds."""

from collections.abc import Mapping
from typing import Any

from api.examples import CREATED, making, reading
from api.operations import OperationExample
from api.v1.examples.customers import CUSTOMER

_BODY = {
    "currency": "USD",
    "customer_id": CUSTOMER["id"],
    "account_name": "Ada Obi",
    "reference": "C-1001",
    "metadata": {"segment": "retail"},
}
VIRTUAL_ACCOUNT: dict[str, Any] = {
    "id": "vac_01k2z4m8k1c3j5n7q9t1w3y5a7",
    "object": "virtual_account",
    "status": "active",
    **_BODY,
    "account_number": "9618033989",
    "bank_name": "Sandbox Bank",
    "account_type": "dedicated",
    **CREATED,
    "reasons": [],
}
_DEPOSIT_BODY = {"amount": "250.00", "source_reference": "FT26244001"}
DEPOSIT = {
    "id": "dep_01k2z4m8m2d4k6p8r0v2x4z6b8",
    "object": "deposit",
    "status": "settled",
    **_DEPOSIT_BODY,
    "provider_reference": "sbx_01k2z4m8m2d4k6p8r0v2x4z6d0",
    "currency": "USD",
    "source": "bank_transfer",
    "virtual_account_id": VIRTUAL_ACCOUNT["id"],
    "metadata": {},
    **CREATED,
    "settled_at": "2026-09-01T09:30:00Z",
}


def in_status(status: str) -> dict[str, Any]:
    """Return the example of an account in a status."""
    issued = status not in ("pending", "requires_action", "failed")
    bank = {} if issued else {"account_number": "", "bank_name": ""}
    reasons = ["legal_name"] if status == "requires_action" else []
    return {**VIRTUAL_ACCOUNT, **bank, "status": status, "reasons": reasons}


def of_status(status: str, body: Mapping[str, Any] | None = None) -> OperationExample:
    """Return the example of an action that leaves the account in a status."""
    answer = reading(in_status(status)).answer
    return OperationExample(answer, body, {"id": VIRTUAL_ACCOUNT["id"]})


NEW = OperationExample(of_status("pending").answer, _BODY)
NEW_DEPOSIT = OperationExample(
    reading(DEPOSIT).answer, _DEPOSIT_BODY, {"id": VIRTUAL_ACCOUNT["id"]}
)
_REFUND_BODY = {
    "payment_reference": DEPOSIT["provider_reference"],
    "amount": "100.00",
    "reason": "Returned goods",
}
REFUND = {
    "id": "ref_01k2z4m8r6h8q0t2w4z6b8d0f2",
    "object": "refund",
    "status": "completed",
    **_REFUND_BODY,
    "currency": "USD",
    "failure": None,
    **CREATED,
    "completed_at": "2026-09-01T09:30:01Z",
}
NEW_REFUND = making(REFUND, _REFUND_BODY)
