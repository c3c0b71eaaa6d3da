"""Orders: every field, exact amounts, and a public page that reveals nothing about the payer."""

import json
from urllib.parse import urlsplit

import pytest
from django.db import DatabaseError, transaction
from django.test import Client as Browser

from api.sandbox.models import Order
from console.accounts.models import Business
from console.audit.models import Entry
from tests.api.asking import EXAMPLES, a_client
from tests.api.calling import Caller, Reply

PATH = "/sandbox/v1/orders"
BODY = EXAMPLES["orders.create"]
NOT_SHOWN = ("Ngozi", "Payer", "ngozi@payer.example", "+2348099990000", "Beans for Ngozi")
PRIVATE = {
    "description": "Beans for Ngozi",
    "customer": {
        "first_name": "Ngozi",
        "last_name": "Payer",
        "email": "ngozi@payer.example",
        "phone_number": "+2348099990000",
    },
}


@pytest.fixture
def plain():
    return a_client()


def order(api: Caller, plain: str, change=None, path=PATH, **more) -> Reply:
    body = json.dumps(BODY | (change or {})).encode()
    return api.call("POST", path, plain, body=body, CONTENT_TYPE="application/json", **more)


def faults(reply: Reply) -> dict[str, str]:
    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR")
    return {one["pointer"]: one["code"] for one in reply.json["meta"]["errors"]}


def test_it_is_answered_field_for_field(api, plain):
    reply = order(api, plain)

    assert reply.status == 201, reply.body
    said, row = reply.json, Order.objects.get()
    assert (said["success"], said["message"]) == (True, "Operation Successful")
    assert said["data"] == {
        "recipient_name": Business.objects.get().name,
        "reference": BODY["reference"],
        "amount": "12500.50",
        "currencyCode": "NGN",
        "url": said["data"]["url"],
        "channels": ["bank_transfer"],
    }
    assert urlsplit(said["data"]["url"]).path == f"/pay/orders/{row.token}/"
    assert row.customer == BODY["customer"]
    assert [one.code for one in Entry.objects.filter(subject_id=row.public_id)] == ["order.created"]


def test_what_must_be_there_is_all_that_must(api, plain):
    least = {"customer": {"email": "ada@shop.example"}}
    body = {name: BODY[name] for name in ("reference", "currency_code", "amount")} | least
    raw = json.dumps(body).encode()

    reply = api.call("POST", PATH, plain, body=raw, CONTENT_TYPE="application/json")
    assert reply.status == 201


@pytest.mark.parametrize(
    ("amount", "written"),
    [(1, "1.00"), (0.1, "0.10"), (19.99, "19.99"), (1e3, "1000.00"), (10**12, "1000000000000.00"),
     (999999999999.99, "999999999999.99"), (1e-2, "0.01")],
)  # fmt: skip
def test_an_amount_is_taken_as_it_was_written(api, plain, amount, written):
    assert order(api, plain, {"amount": amount}).json["data"]["amount"] == written


def test_any_other_amount_is_refused(api, plain):
    for amount, code in [
        (0, "out_of_range"),
        (-1, "out_of_range"),
        (10**12 + 1, "out_of_range"),
        (10**19, "out_of_range"),
        (1e300, "out_of_range"),
        (0.001, "wrong_shape"),
        (1e-7, "wrong_shape"),
        ("12.50", "wrong_type"),
        (True, "wrong_type"),
        ([1], "wrong_type"),
    ]:
        assert faults(order(api, plain, {"amount": amount})) == {"/amount": code}
        assert not Order.objects.exists()


def test_a_mistake_is_named(api, plain):
    for change, pointer in [
        ({"reference": ""}, "/reference"),
        ({"currency_code": "USDT"}, "/currency_code"),
        ({"customer": {"first_name": "Ada"}}, "/customer/email"),
        (
            {"customer": {"email": "ada@shop.example", "phone_number": "080"}},
            "/customer/phone_number",
        ),
        ({"card": "4111"}, "/card"),
    ]:
        assert list(faults(order(api, plain, change))) == [pointer]


def test_a_key_is_honoured(api, plain):
    key = {"HTTP_IDEMPOTENCY_KEY": "order-00000001"}
    first, again = (order(api, plain, **key) for _ in range(2))

    assert again.json == first.json
    assert Order.objects.count() == 1
    order(api, plain)
    assert Order.objects.count() == 2


def test_it_stays_as_it_was_made(api, plain):
    order(api, plain)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        Order.objects.update(amount=1)


# The page -----------------------------------------------------------------------------------


def test_its_page_tells_whom_how_much_and_how_and_nothing_of_the_payer(api, plain):
    data = order(api, plain, PRIVATE).json["data"]

    page = Browser().get(urlsplit(data["url"]).path)
    shown = page.content.decode()
    assert page.status_code == 200
    for said in ("12,500.50 NGN", data["reference"], data["recipient_name"], "simulated"):
        assert said in shown
    assert [one for one in NOT_SHOWN if one in shown] == []
    assert "bank transfer" in shown
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert page.headers["Cache-Control"] == "no-store"


def test_nobody_guesses_its_address(api, plain):
    addresses = {order(api, plain).json["data"]["url"] for _ in range(3)}

    tokens = [address.rstrip("/").rpartition("/")[2] for address in addresses]
    assert len(tokens) == 3
    # 192 bits, none of which appear in public ids.
    assert all(len(token) == 32 for token in tokens)
    row = Order.objects.first()
    assert row is not None
    for guess in (row.public_id, row.token[:-1], row.token.swapcase(), "x"):
        assert Browser().get(f"/pay/orders/{guess}/").status_code == 404
