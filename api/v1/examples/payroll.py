"""Example calls of payroll runs."""

from api.examples import CREATED, making

_RUN_BODY = {
    "pay_date": "2026-09-01",
    "currency": "NGN",
    "items": [
        {
            "amount": "180000.00",
            "bank_account": {
                "account_name": "Ada Obi",
                "country": "NG",
                "account_number": "0123456789",
                "bank_code": "044",
            },
            "reference": "August",
        },
        {
            "amount": "150000.00",
            "bank_account": {
                "account_name": "Tunde Bakare",
                "country": "NG",
                "account_number": "0987654321",
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
    "amount": "330000.00",
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_PAYROLL_RUN = making(PAYROLL_RUN, _RUN_BODY)
