"""Orders: every field, exact amounts, one order of a reference, and a page without the payer."""

import pytest
from django.db import IntegrityError

from api.payments.models import CheckoutSession, Order
from console.accounts.models import Business
from console.audit.models import Entry
from tests.api.asking import EXAMPLES, a_client, faults, pointed
from tests.api.calling import Caller, Reply
from tests.waiting import at_once

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


# One order of a reference -------------------------------------------------------------------------


def test_the_same_order_again_is_the_first_one(api, plain):
    replies = [order(api, plain), order(api, plain)]
    replies += [order(api, plain, HTTP_IDEMPOTENCY_KEY=f"order-retry-{n}") for n in range(2)]

    assert {reply.status for reply in replies} == {201}
    assert len({reply.body for reply in replies}) == 1
    assert Order.objects.count() == CheckoutSession.objects.count() == 1
    assert Entry.objects.filter(code="order.created").count() == 1


def test_the_first_one_is_answered_even_if_its_page_has_ended(api, plain):
    first = order(api, plain)
    session = CheckoutSession.objects.get().public_id
    assert api.post(f"/sandbox/v1/checkout-sessions/{session}/cancel", plain, {}).status == 200

    assert order(api, plain).body == first.body


@pytest.mark.parametrize(
    "change",
    [
        {"amount": 12500.51},
        {"currency_code": "USD"},
        {"description": "Tea"},
        {"customer": BODY["customer"] | {"email": "other@shop.example"}},
        {"customer": {"email": BODY["customer"]["email"]}},
    ],
)
def test_another_order_of_the_reference_is_a_conflict(api, plain, change):
    assert order(api, plain).status == 201
    reply = order(api, plain, change)

    assert (reply.status, reply.code) == (409, "IDEMPOTENCY_KEY_REUSED")
    said = reply.json
    assert said["message"] == "You used this reference for another order. Send a new reference."
    assert said["meta"]["reason"] == "reference_used"
    assert [one["pointer"] for one in said["meta"]["errors"]] == ["/reference"]
    assert order(api, plain, change | {"reference": "INV-2"}).status == 201


def test_a_reference_of_another_business_is_free(api):
    replies = [order(api, a_client()) for _ in range(2)]

    assert [reply.status for reply in replies] == [201, 201]
    assert replies[0].json["data"]["url"] != replies[1].json["data"]["url"]


def test_many_at_once_open_one_order(plain):
    replies = at_once(6, lambda number: order(Caller(), plain))

    assert [reply.status for reply in replies] == [201] * 6
    assert len({reply.body for reply in replies}) == 1
    assert Order.objects.count() == CheckoutSession.objects.count() == 1


def twin(row: Order, **changes) -> Order:
    """Save a second order of the reference, past the verb."""
    session = row.session
    session.pk, session.public_id = None, "cs_twin"
    session.method, session.account, session.address = "crypto", None, "an address"
    session.save()
    row.pk, row.public_id, row.session = None, "ord_twin", session
    for name, value in changes.items():
        setattr(row, name, value)
    row.save()
    return row


def test_the_database_refuses_a_second_order_of_a_reference(api, plain):
    order(api, plain)
    with pytest.raises(IntegrityError, match="one_order_of_a_reference"):
        twin(Order.objects.get())


def test_orders_from_before_may_share_a_reference_and_the_first_is_answered(api, plain):
    first = order(api, plain)
    twin(Order.objects.get(), is_first=None)

    assert order(api, plain).body == first.body
