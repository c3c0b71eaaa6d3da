"""Example calls of digital services and their orders."""

from api.examples import CREATED, making

SERVICE = {
    "id": "airtime-ng",
    "object": "digital_service",
    "category": "airtime",
    "name": "Airtime, Nigeria",
    "country": "NG",
    "currency": "NGN",
    "min_amount": "50.00",
    "max_amount": "50000.00",
}
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
