"""Example calls of flight offers and bookings."""

from api.examples import CREATED, making

_FLIGHT = {
    "number": "SB201",
    "carrier": "Sandbox Air",
    "origin": "LOS",
    "destination": "ACC",
    "departs_at": "2026-12-01T09:15:00Z",
    "arrives_at": "2026-12-01T10:15:00Z",
}
_OFFER_ID = "fof_2026-11-01_SB201_20261201_1795773600_8f3b2c1d9e7a6054"
FLIGHT_OFFER = {
    "id": _OFFER_ID,
    "object": "flight_offer",
    "flight": _FLIGHT,
    "amount": "180.00",
    "currency": "USD",
    "expires_at": "2026-09-01T10:00:00Z",
}
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
