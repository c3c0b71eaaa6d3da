"""Null means not set where our answers say null; all mistakes are in one answer; HEAD is GET."""

import pytest

from api.payments.models import Customer
from api.v1.router import OPERATIONS
from tests.api.asking import BY_NAME, Client, a_client, faults, pointed

WITH_BODY = [one for one in OPERATIONS if one.body]
# The answer of these shows another object, or shows what was sent elsewhere.
ELSEWHERE = {"checkout_sessions.pay": {"source_reference"}}


def shown(one):
    view = one.view.serializer_class
    return {**(view().fields if view else {}), **one.answer().fields}


def null_here(one):
    """Return the optional fields of a body, as paths, that the answer shows as null or leaves out
    after they were cleared."""
    answered = shown(one)
    for name, field in one.body().fields.items():
        if field.required or (not field.allow_null and name not in answered):
            continue
        there = answered.get(name)
        if (there is not None and there.allow_null) or name in ELSEWHERE.get(one.name, ()):
            yield (name,)
        for inner, below in getattr(field, "fields", {}).items():
            said = getattr(there, "fields", {}).get(inner)
            if said is not None and said.allow_null and not below.required:
                yield name, inner


NULLS = [(one, path) for one in WITH_BODY for path in null_here(one)]


@pytest.mark.parametrize(
    ("one", "path"), NULLS, ids=lambda v: v.name if hasattr(v, "name") else "/".join(v)
)
def test_null_means_not_set_where_our_answer_says_null(unlimited, api, one, path):
    client = Client(api, a_client())
    body = client.body_of(one)
    inner = body
    for name in path[:-1]:
        inner = inner.setdefault(name, {})
    inner[path[-1]] = None

    reply = client.ask(one, client.path_of(one), body)

    assert reply.status < 300, reply.body
    said = reply.json.get("payment", reply.json)
    for name in path:
        said = said[name]
    assert said is None


def test_a_customer_is_cleared_by_null(api):
    client = Client(api, a_client())
    sent = {"legal_name": "Ada", "email": "ada@shop.example", "phone": "+2348012345678",
            "country": "NG", "date_of_birth": "1990-05-17",
            "address": {"line1": "1", "city": "Lagos", "country": "NG"}}  # fmt: skip
    made = client.ask(BY_NAME["customers.create"], "/customers", sent).json
    change = BY_NAME["customers.change"]
    path = f"/customers/{made['id']}"

    cleared = client.ask(change, path, {"email": None, "phone": None}).json
    assert cleared.keys() & {"email", "phone", "country"} == {"country"}
    rest = dict.fromkeys(("country", "address", "date_of_birth"))
    assert client.ask(change, path, rest).json.keys().isdisjoint(rest)
    one = Customer.objects.get()
    assert (one.email, one.address, one.date_of_birth) == ("", {}, None)
    assert faults(client.ask(change, path, {"legal_name": None})) == [("/legal_name", "is_null")]
    bare = client.ask(BY_NAME["customers.create"], "/customers", {"legal_name": "B", "phone": None})
    assert (bare.status, "phone" in bare.json) == (201, False)


@pytest.mark.parametrize(
    ("name", "path", "body", "wrong"),
    [
        (
            "payouts.create",
            "/payouts",
            {"amount": "1.234", "currency": "NGN", "reference": 7, "odd": 1, "bank_account": {
                "account_name": "", "country": "GB", "bic": "ABNANL2A",
                "iban": "GB33BUKB20201555555555"}},
            ["/amount", "/bank_account/account_name", "/bank_account/bic", "/odd", "/reference"],
        ),
        (
            "checkout_sessions.create",
            "/checkout-sessions",
            {"amount": "1.234", "currency": "NGN", "method": "crypto", "success_url": "x"},
            ["/amount", "/method", "/success_url"],
        ),
        (
            "crypto_withdrawals.create",
            "/crypto/withdrawals",
            {"asset": "USDC", "amount": "0", "network": "tron", "address": "x", "metadata": 1},
            ["/address", "/amount", "/metadata"],
        ),
        ("webhook_endpoints.change", "/webhook-endpoints/x", {"status": "odd"}, ["/status"]),
    ],
)  # fmt: skip
def test_all_mistakes_of_a_body_are_in_one_answer(api, name, path, body, wrong):
    client = Client(api, a_client())
    if "/x" in path:
        path = path.replace("x", client.id_in("/webhook-endpoints"))
    assert sorted(pointed(client.ask(BY_NAME[name], path, body))) == wrong


def test_head_is_a_get_without_its_body(unlimited, api):
    client = Client(api, a_client())
    own = client.id_in("/payouts")
    for path in ("/me", "/payouts", f"/payouts/{own}", "/transfers/corridors", "/balances"):
        reply = api.call("HEAD", f"{client.root}{path}", client.plain)
        same = api.get(f"{client.root}{path}", client.plain)
        assert (reply.status, reply.headers["Content-Type"]) == (200, same.headers["Content-Type"])
        assert reply.body == b""
    assert api.call("HEAD", f"{client.root}/payouts/none", client.plain).status == 404
    assert api.call("HEAD", f"{client.root}/quotes", client.plain).status == 405
    assert api.call("HEAD", f"{client.root}/payouts", "").status == 401


def test_a_key_that_was_used_says_when_the_first_request_came(api):
    client = Client(api, a_client())
    row = BY_NAME["payouts.create"]
    first = client.ask(row, "/payouts", key="order-10001")
    reply = client.ask(row, "/payouts", client.body_of(row) | {"amount": "7.00"}, key="order-10001")

    assert (reply.status, reply.code) == (409, "IDEMPOTENCY_KEY_REUSED")
    assert reply.json["first_request_at"] in reply.json["detail"]
    assert reply.headers["Original-Request-Id"] == first.headers["X-Request-Id"]


def test_a_replay_can_be_read(api):
    client, other = Client(api, a_client()), Client(api, a_client())
    own = client.id_in("/webhook-endpoints")
    made = client.ask(
        BY_NAME["webhook_endpoints.replay"], f"/webhook-endpoints/{own}/replay", {}
    ).json
    assert made["object"] == "webhook_replay", made

    read = client.read(f"/webhook-replays/{made['id']}")
    assert (read["id"], read["endpoint_id"]) == (made["id"], own)
    assert other.read(f"/webhook-replays/{made['id']}")["code"] == "NOT_FOUND"


def test_a_payout_says_its_fee_its_failure_and_when_it_ended(api):
    client = Client(api, a_client())
    row = BY_NAME["payouts.create"]
    paid = client.ask(row, "/payouts", client.body_of(row) | {"amount": "10.00"}).json
    failed = client.ask(row, "/payouts", client.body_of(row) | {"amount": "10.44"}).json

    assert (paid["fee"], paid["failure"]) == ("0.00", None)
    assert paid["completed_at"]
    assert failed["failure"]["code"] == failed["failure_reason"]
