"""Good calls of the second family: orders, quotations and sub-accounts."""

from collections.abc import Mapping
from typing import Any

from api.gateway.operations import OperationExample

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


def moved_sub_account(message: str, status: str) -> OperationExample:
    """Return the example of an operation that moves a sub-account."""
    moved = {**_SUB_ACCOUNT, "status": status}
    return _result(message, moved, None, id=_SUB_ACCOUNT["reference"])


NEW_SUB_ACCOUNT = _result("Sub-account created successfully", _SUB_ACCOUNT, _SUB_ACCOUNT_BODY)
