"""Example calls of identity verifications."""

from api.examples import CREATED, making
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
