"""Example calls of payouts."""

from api.examples import CREATED, making

_BODY = {
    "amount": "1250.00",
    "currency": "NGN",
    "bank_account": {
        "account_name": "Ada Obi",
        "country": "NG",
        "account_number": "0123456784",
        "bank_code": "044",
    },
    "reference": "Invoice 2026-118",
    "metadata": {"invoice": "2026-118"},
}
PAYOUT = {
    "id": "pay_01k2z4m8e6x8d0g2j4n6q8s0v2",
    "object": "payout",
    "status": "completed",
    **_BODY,
    "fee": "0.00",
    "failure_reason": None,
    "failure": None,
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_PAYOUT = making(PAYOUT, _BODY)
