"""Good calls of financing."""

from api.v1.examples import page_of

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
