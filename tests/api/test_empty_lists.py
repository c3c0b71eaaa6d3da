"""Lists of objects that do not exist yet, which work like any other; and the merchant hub."""

import pytest

from api.v1.router import OPERATIONS
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.core import clock
from tests.api.asking import a_client
from tests.apikeys import world

LISTS = ["/checkout-sessions"]
SCOPES = ("checkout:read", "webhooks:read", "merchant:read")
EMPTY = {
    "object": "list", "data": [], "has_more": False, "next_cursor": None, "prev_cursor": None,
}  # fmt: skip


@pytest.mark.parametrize("path", LISTS)
def test_it_is_empty_in_both_environments_and_says_so_in_its_words(api, path):
    live = world.a_grant(environment=Environment.LIVE, products=("checkout", "webhooks"))
    keys = {"/sandbox/v1": a_client(), "/v1": world.a_key(live, scopes=SCOPES[:2])[1]}

    for root, key in keys.items():
        reply = api.get(root + path, key, "limit=5")
        assert reply.status == 200, reply.body
        assert reply.json == EMPTY | {"request_id": reply.headers["X-Request-Id"]}
    (row,) = [one for one in OPERATIONS if (one.method, one.path) == ("GET", path)]
    assert "empty" in row.summary


def test_a_mistake_is_refused_as_in_any_list(api):
    for path in LISTS:
        for query, status in [("cursor=AAAA", 400), ("limit=0", 422), ("status=paid", 422)]:
            reply = api.get(f"/sandbox/v1{path}", a_client(), query)

            assert (reply.status, reply.code) == (status, "VALIDATION_ERROR")


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
