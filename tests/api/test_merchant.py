"""GET /merchant: who the calling business is."""

from console.accounts.models import Business
from console.core import clock
from tests.apikeys import world


def test_the_merchant_hub_tells_who_one_is(api):
    grant = world.a_grant(products=("merchant", "balances"))
    plain = world.a_key(grant, scopes=("merchant:read",))[1]

    said = api.get("/sandbox/v1/merchant", plain).json
    business = Business.objects.get()
    assert said["currencies"][:2] == ["NGN", "USD"]
    assert "cNGN" not in said["currencies"]
    assert {name: said[name] for name in said if name not in ("currencies", "request_id")} == {
        "id": business.public_id,
        "object": "merchant",
        "legal_name": business.name,
        "status": "active",
        "environment": "sandbox",
        "products": ["merchant", "balances"],
        "created_at": clock.iso(business.created_at),
    }
