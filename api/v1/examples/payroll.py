"""Example calls of payroll runs."""

from datetime import timedelta

from api.examples import CREATED, making
from console.core import clock

# The first of a coming month, because a call with a past date is refused.
_PAY_DATE = (clock.now() + timedelta(days=62)).date().replace(day=1)
_RUN_BODY = {
    "pay_date": _PAY_DATE.isoformat(),
    "currency": "NGN",
    "items": [
        {
            "amount": "180000.00",
            "bank_account": {
                "account_name": "Ada Obi",
                "country": "NG",
                "account_number": "0123456784",
                "bank_code": "044",
            },
            "reference": "August",
        },
        {
            "amount": "150000.00",
            "bank_account": {
                "account_name": "Tunde Bakare",
                "country": "NG",
                "account_number": "0987654327",
                "bank_code": "058",
            },
        },
    ],
    "metadata": {"month": "2026-08"},
}
PAYROLL_RUN = {
    "id": "prl_01k2z4m8p4f6n8r0t2x4z6b8d0",
    "object": "payroll_run",
    "status": "completed",
    **_RUN_BODY,
    "pay_date": "2026-09-01",
    "amount": "330000.00",
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": CREATED["created_at"],
}
_WAITING = {**PAYROLL_RUN, **_RUN_BODY, "status": "pending", "completed_at": None}
NEW_PAYROLL_RUN = making(_WAITING, _RUN_BODY)
