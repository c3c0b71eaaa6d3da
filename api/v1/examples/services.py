"""Good calls of the services beside payments, as the documentation shows them."""

from typing import Any

from api.gateway.operations import OperationExample
from api.v1.examples import CREATED, making, page_of, reading
from api.v1.examples.customers import CUSTOMER

IDENTITY_VERIFICATION = {
    "id": "idv_01k2z4m8k1c3j5n7q9t1w3y5z7",
    "object": "identity_verification",
    "type": "passport",
    "number_ends_with": "456",
    "country": "NG",
    "customer_id": CUSTOMER["id"],
    "status": "completed",
    "result": "confirmed",
    "metadata": {"check": "first"},
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_IDENTITY_VERIFICATION = making(
    IDENTITY_VERIFICATION,
    {
        "type": "passport",
        "number": "A00123456",
        "country": "NG",
        "customer_id": CUSTOMER["id"],
        "metadata": {"check": "first"},
    },
)
_ITEM_BODY = {
    "name": "Kettle, 1.7 l",
    "sku": "KET-17",
    "available": 40,
    "metadata": {"shelf": "B4"},
}
ITEM: dict[str, Any] = {
    "id": "itm_01k2z4m8m2d4k6p8r0v2x4z6b8",
    "object": "inventory_item",
    **_ITEM_BODY,
    "reserved": 0,
    **CREATED,
}
NEW_ITEM = making(ITEM, _ITEM_BODY)
CHANGED_ITEM = OperationExample(
    {**reading(ITEM).answer, "available": 60}, {"available": 60}, {"id": ITEM["id"]}
)
RESERVED_ITEM = OperationExample(
    {**reading(ITEM).answer, "available": 37, "reserved": 3}, {"quantity": 3}, {"id": ITEM["id"]}
)
SERVICES = page_of(
    {
        "id": "airtime-ng",
        "object": "digital_service",
        "category": "airtime",
        "name": "Airtime, Nigeria",
        "country": "NG",
        "currency": "NGN",
        "min_amount": "50.00",
        "max_amount": "50000.00",
    }
)
_ORDER_BODY = {
    "service_id": "airtime-ng",
    "recipient": "+2348012345678",
    "amount": "500.00",
    "metadata": {"till": "4"},
}
SERVICE_ORDER = {
    "id": "dso_01k2z4m8n3e5m7q9s1w3y5a7c9",
    "object": "digital_service_order",
    "status": "completed",
    **_ORDER_BODY,
    "currency": "NGN",
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_SERVICE_ORDER = making(SERVICE_ORDER, _ORDER_BODY)
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
FINANCING = page_of(
    {
        "id": "fin-ngn-30",
        "object": "financing_offer",
        "currency": "NGN",
        "limit": "2000000.00",
        "fee": "50000.00",
        "term_days": 30,
    }
)
_FLIGHT = {
    "number": "SB201",
    "carrier": "Sandbox Air",
    "origin": "LOS",
    "destination": "ACC",
    "departs_at": "2026-12-01T09:15:00Z",
    "arrives_at": "2026-12-01T10:15:00Z",
}
_OFFER_ID = "fof_2026-11-01_SB201_20261201_1795773600_8f3b2c1d9e7a6054"
FLIGHT_OFFERS = page_of(
    {
        "id": _OFFER_ID,
        "object": "flight_offer",
        "flight": _FLIGHT,
        "amount": "180.00",
        "currency": "USD",
        "expires_at": "2026-09-01T10:00:00Z",
    }
)
_BOOKING_BODY = {
    "offer_id": _OFFER_ID,
    "passengers": [{"first_name": "Ada", "last_name": "Obi", "date_of_birth": "1990-05-17"}],
    "metadata": {"trip": "7"},
}
FLIGHT_BOOKING = {
    "id": "fbk_01k2z4m8q5g7p9s1v3y5a7c9e1",
    "object": "flight_booking",
    "status": "confirmed",
    **_BOOKING_BODY,
    "flight": _FLIGHT,
    "amount": "180.00",
    "currency": "USD",
    "fee": "0.00",
    "failure": None,
    **CREATED,
    "completed_at": CREATED["created_at"],
}
NEW_FLIGHT_BOOKING = making(FLIGHT_BOOKING, _BOOKING_BODY)
