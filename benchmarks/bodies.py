"""Bodies for the benchmarks: requests, and the response of GET /me, which the peers return too."""

ME = {
    "object": "api_context",
    "business": {
        "id": "biz_01kb3vq7t2m9x4c6r8n0p5s1w3",
        "name": "Savanna Freight Limited",
        "status": "active",
        "risk_tier": None,
    },
    "key": {
        "id": "svc_test_8Kq2vW0Lb7NfYc5H",
        "name": "Backend, staging",
        "environment": "sandbox",
        "scopes": ["balances:read", "webhooks:read"],
        "expires_at": "2027-11-21T08:00:00Z",
        "rotation": None,
        "allowlist": {"business": [], "key": [], "matched": None},
    },
    "products": ["balances", "cards", "payouts", "webhooks"],
    "limits": [
        {"policy": "default", "quota": 1000000, "window": 1, "remaining": 999980},
        {"policy": "endpoint", "quota": 1000000, "window": 1, "remaining": 999980},
        {"policy": "financial", "quota": 1000000, "window": 1, "remaining": 1000000},
        {"policy": "refusals", "quota": 1000000, "window": 1, "remaining": 1000000},
    ],
    "api_version": {
        "pinned": "2026-08-29",
        "used": "2026-08-29",
        "latest": "2026-08-29",
        "sunset": None,
    },
    "client_ip": "127.0.0.1",
    "request_id": "req_01kb3vq7t2m9x4c6r8n0p5s1w3",
}
# Small enough that the balance lasts for every round.
PAYOUT = {
    "amount": "0.01",
    "currency": "NGN",
    "bank_account": {
        "account_name": "Ada Obi",
        "country": "NG",
        "account_number": "0123456789",
        "bank_code": "044",
    },
}
CUSTOMER = {
    "customer_type": "individual",
    "legal_name": "Ada Obi",
    "first_name": "Ada",
    "last_name": "Obi",
    "email": "ada@shop.example",
    "phone": "+2348012345678",
    "country": "NG",
    "address": {"line1": "1 Marina", "city": "Lagos", "country": "NG"},
    "date_of_birth": "1990-05-17",
}
ITEM = {"name": "Kettle, 1.7 l", "sku": "KET-17", "available": 40}
