"""Example calls of customers."""

from api.examples import CREATED, making, reading
from api.operations import OperationExample

_BODY = {
    "external_customer_id": "C-1001",
    "customer_type": "individual",
    "legal_name": "Ada Obi",
    "first_name": "Ada",
    "last_name": "Obi",
    "email": "ada@shop.example",
    "phone": "+2348012345678",
    "country": "NG",
    "address": {"line1": "1 Marina", "city": "Lagos", "country": "NG"},
    "date_of_birth": "1990-05-17",
    "metadata": {"segment": "retail"},
}
_CHANGE = {
    "email": "ada.obi@shop.example",
    "phone": "+2348012345679",
    "metadata": {"segment": "wholesale"},
}
CUSTOMER = {
    "id": "cus_01k2z4m8g8z0f2j4m6q8s0v2x4",
    "object": "customer",
    **_BODY,
    **CREATED,
}
NEW_CUSTOMER = making(CUSTOMER, _BODY)
CHANGED_CUSTOMER = OperationExample(
    {**reading(CUSTOMER).answer, **_CHANGE}, _CHANGE, {"id": CUSTOMER["id"]}
)
