"""Example calls of financing."""

FINANCING = {
    "id": "fin-ngn-30",
    "object": "financing_offer",
    "currency": "NGN",
    "limit": "2000000.00",
    "fee": "50000.00",
    "term_days": 30,
}
