"""Orders: every field, exact amounts, and a public page that reveals nothing about the payer."""

import pytest

from api.sandbox.models import Order
from console.accounts.models import Business
from console.audit.models import Entry
from tests.api.asking import EXAMPLES, faults, pointed
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


def order(api: Caller, plain: str, change=None, **more) -> Reply:
    return api.post(PATH, plain, BODY | (change or {}), **more)


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
    assert said["data"]["url"] == row.session.checkout_url
    session = api.get(f"/sandbox/v1/checkout-sessions/{row.session.public_id}", plain).json
    assert (session["status"], session["amount"]) == ("awaiting_payment", "12500.50")
    assert session["customer"]["name"] == "Ada Obi"
    assert row.customer == BODY["customer"]
    assert [one.code for one in Entry.objects.filter(subject_id=row.public_id)] == ["order.created"]


def test_what_must_be_there_is_all_that_must(api, plain):
    least = {"customer": {"email": "ada@shop.example"}}
    body = {name: BODY[name] for name in ("reference", "currency_code", "amount")} | least
    assert api.post(PATH, plain, body).status == 201


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
        assert faults(order(api, plain, {"amount": amount})) == [("/amount", code)]
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
        assert pointed(order(api, plain, change)) == [pointer]
