"""Example calls of rates, quotes and conversions."""

from api.examples import CREATED, making

RATES = (
    {"object": "rate", "base": "USD", "quote": "NGN", "rate": "1475"},
    {"object": "rate", "base": "USD", "quote": "GBP", "rate": "0.7565"},
)
_QUOTE_BODY = {"from": "USD", "to": "NGN", "amount": "250.00"}
QUOTE = {
    "id": "quo_01k2z4m8k1c3j5n7q9t1w3y5a7",
    "object": "quote",
    "from": "USD",
    "to": "NGN",
    "fromAmount": "250.00",
    "toAmount": "368750.00",
    "rate": "1475",
    "value": "368750.00",
    "fromAmountInUSD": "250.00",
    "fromAmountInUSDRate": "1",
    "expiration": 60,
    **CREATED,
}
NEW_QUOTE = making(QUOTE, _QUOTE_BODY)
_CONVERSION_BODY = {"quote_id": QUOTE["id"], "metadata": {"treasury": "weekly"}}
CONVERSION = {
    "id": "cnv_01k2z4m8m2d4k6p8r0v2x4z6b8",
    "object": "conversion",
    "status": "completed",
    "from": "USD",
    "to": "NGN",
    "from_amount": "250.00",
    "to_amount": "368750.00",
    "rate": "1475",
    "fee": "0.00",
    "failure": None,
    **_CONVERSION_BODY,
    **CREATED,
    "completed_at": "2026-09-01T09:30:01Z",
}
NEW_CONVERSION = making(CONVERSION, _CONVERSION_BODY)
