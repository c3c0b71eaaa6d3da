"""Example calls of the merchant hub."""

from api.examples import REQUEST
from api.operations import OperationExample

MERCHANT = OperationExample(
    {
        "id": "biz_01k2z4m8a3t5y7v9p1s3d5f7g9",
        "object": "merchant",
        "legal_name": "Kettle & Cloud Ltd",
        "status": "active",
        "environment": "sandbox",
        "currencies": ["NGN", "USD", "GBP", "EUR"],
        "products": ["balances", "merchant", "webhooks"],
        "created_at": "2026-08-20T10:00:00Z",
        **REQUEST,
    }
)
