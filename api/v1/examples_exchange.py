"""Good calls of what exchanges currencies: rates, quotes and conversions."""

from api.v1 import examples

RATES = examples.page_of(
    {"object": "rate", "base": "USD", "quote": "NGN", "rate": "1475"},
    {"object": "rate", "base": "USD", "quote": "GBP", "rate": "0.7565"},
)
