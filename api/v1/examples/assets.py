"""Example calls of OTC orders, crypto addresses and withdrawals."""

from api.examples import CREATED, making

_COMPLETED = {**CREATED, "completed_at": "2026-09-01T09:30:01Z"}
_OTC_ORDER_BODY = {
    "side": "buy",
    "asset": "USDT",
    "currency": "USD",
    "amount": "25000.000000",
    "metadata": {"desk": "treasury"},
}
OTC_ORDER = {
    "id": "otc_01k2z4m8n3e5m7q9s1w3y5a7c9",
    "object": "otc_order",
    "status": "completed",
    **_OTC_ORDER_BODY,
    "price": "1",
    "total": "25000.00",
    "fee": "0.00",
    "failure": None,
    **_COMPLETED,
}
NEW_OTC_ORDER = making(OTC_ORDER, _OTC_ORDER_BODY)
_ADDRESS_BODY = {"asset": "USDT", "network": "tron", "metadata": {"customer": "C-1001"}}
ADDRESS = {
    "id": "adr_01k2z4m8p4f6n8r0t2x4z6b8d0",
    "object": "crypto_address",
    **_ADDRESS_BODY,
    "address": "TLoNYsgh215y3PNxmGphMg6qqHyLMvCGiL",
    **CREATED,
}
NEW_ADDRESS = making(ADDRESS, _ADDRESS_BODY)
_WITHDRAWAL_BODY = {
    "asset": "USDC",
    "network": "polygon",
    "address": "0x5aae56b1c2d3e4f5061728394a5b6c7d8e9f0a1b",
    "amount": "120.500000",
    "metadata": {"invoice": "2026-118"},
}
WITHDRAWAL = {
    "id": "wdr_01k2z4m8q5g7p9s1v3y5a7c9e1",
    "object": "crypto_withdrawal",
    "status": "completed",
    **_WITHDRAWAL_BODY,
    "fee": "0.000000",
    "failure": None,
    **_COMPLETED,
}
NEW_WITHDRAWAL = making(WITHDRAWAL, _WITHDRAWAL_BODY)
