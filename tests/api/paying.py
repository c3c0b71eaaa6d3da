"""Payouts as a client requests them."""

from typing import Any

from tests.api.calling import Caller, Reply
from tests.apikeys import world

PAYOUTS = "/sandbox/v1/payouts"
ACCOUNT = {
    "account_name": "Ada Obi",
    "country": "NG",
    "account_number": "0123456784",
    "bank_code": "044",
}


def a_payer(**more: Any) -> str:
    """Return the key of a business that may pay out."""
    return world.a_key(scopes=("balances:read", "payouts:read", "payouts:write"), **more)[1]


def body_of(amount: str = "1250.00", **more: Any) -> dict[str, Any]:
    return {"amount": amount, "currency": "NGN", "bank_account": ACCOUNT, **more}


def pay(api: Caller, plain: str, key: str, body: Any = None, **more: Any) -> Reply:
    headers = {"HTTP_IDEMPOTENCY_KEY": key} | more
    return api.post(PAYOUTS, plain, body_of() if body is None else body, **headers)


def left(api: Caller, plain: str, currency: str = "NGN") -> tuple[str, str]:
    """Return the available and reserved amounts of a currency."""
    (one,) = api.get("/sandbox/v1/balances", plain, f"currency={currency}").json["data"]
    return one["available"], one["reserved"]
