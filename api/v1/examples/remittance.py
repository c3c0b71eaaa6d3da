"""Example calls of beneficiaries, corridors and transfers."""

from api.examples import CREATED, making, page_of, reading

_BENEFICIARY_BODY = {
    "name": "Kwame Mensah",
    "country": "GH",
    "currency": "GHS",
    "account": {
        "account_name": "Kwame Mensah",
        "country": "GH",
        "account_number": "0123456789012",
        "bank_code": "030100",
    },
    "metadata": {"payroll": "yes"},
}
BENEFICIARY = {
    "id": "ben_01k2z4m8h9a1g3k5n7r9t1w3y5",
    "object": "beneficiary",
    **_BENEFICIARY_BODY,
    **CREATED,
}
_TRANSFER_BODY = {
    "beneficiary_id": BENEFICIARY["id"],
    "amount": "250.00",
    "currency": "USD",
    "reference": "INV-42",
    "metadata": {"invoice": "42"},
}
TRANSFER = {
    "id": "trf_01k2z4m8j0b2h4m6p8s0v2x4z6",
    "object": "transfer",
    "status": "completed",
    **_TRANSFER_BODY,
    "quote_id": None,
    "rate": "10.875",
    "destination_currency": "GHS",
    "destination_amount": "2718.75",
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": "2026-09-01T09:30:01Z",
}
NEW_BENEFICIARY = making(BENEFICIARY, _BENEFICIARY_BODY)
DELETED_BENEFICIARY = reading({"id": BENEFICIARY["id"], "object": "beneficiary", "deleted": True})
CORRIDORS = page_of(
    {
        "object": "corridor",
        "source_currency": "USD",
        "destination_country": "GH",
        "destination_currency": "GHS",
        "rails": ["bank", "mobile_money"],
        "min_amount": "0.01",
        "max_amount": "5000000.00",
        "delivery_estimate": "within minutes",
    }
)
NEW_TRANSFER = making(TRANSFER, _TRANSFER_BODY)
