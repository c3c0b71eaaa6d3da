"""Refunds: of settled deposits, and never more in total than was paid."""

from datetime import timedelta

import pytest
import time_machine

from api.payments.models import Refund
from console.core import clock
from tests.api.asking import BY_NAME, Client, pointed
from tests.api.calling import Caller
from tests.api.paying import left
from tests.waiting import at_once

ROOT = "/sandbox/v1"
CREATE = BY_NAME["refunds.create"]
PAID = ("1000250.00", "0.00")


@pytest.fixture
def paid(client):
    """Return the reference of a payment of 250.00 USD."""
    return client.a_payment()


def refund(client, paid, amount="100.00", **more):
    return client.ask(CREATE, "/refunds", {"payment_reference": paid, "amount": amount} | more)


def test_a_refund_leaves_the_balance(api, client, plain, paid):
    reply = refund(client, paid, reason="Returned goods")

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["currency"], made["reason"]) == (
        "completed", "USD", "Returned goods",
    )  # fmt: skip
    assert left(api, plain, "USD") == ("1000150.00", "0.00")


def test_all_refunds_of_a_payment_are_at_most_what_was_paid(api, client, plain, paid):
    assert refund(client, paid, "250.01").code == "VALIDATION_ERROR"
    assert [refund(client, paid, amount).status for amount in ("200.00", "50.00")] == [201, 201]
    reply = refund(client, paid, "0.01")

    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR")
    (fault,) = reply.json["errors"]
    assert fault["pointer"] == "/amount"
    assert "0.00 USD" in fault["detail"]
    assert left(api, plain, "USD") == ("1000000.00", "0.00")


def test_a_refund_that_failed_may_be_asked_for_again(api, client, plain, paid):
    made = refund(client, paid, "249.44").json
    assert (made["status"], made["failure"]["code"]) == ("failed", "rejected_by_bank")
    assert left(api, plain, "USD") == PAID

    assert refund(client, paid, "250.00").json["status"] == "completed"


def test_a_refund_that_waits_counts_and_is_completed_by_whoever_looks(api, client, plain, paid):
    assert refund(client, paid, "200.45").json["status"] == "pending"
    assert refund(client, paid, "50.00").code == "VALIDATION_ERROR"
    with time_machine.travel(clock.now() + timedelta(seconds=6)):
        (seen,) = api.get(f"{ROOT}/refunds", plain).json["data"]
    assert seen["status"] == "completed"


def test_refunds_at_once_are_together_at_most_what_was_paid(api, client, plain, paid):
    def give_back(number):
        return refund(Client(Caller(), plain, first_key=1_000 * (number + 1)), paid).status

    assert sorted(at_once(8, give_back)) == [201] * 2 + [422] * 6
    assert Refund.objects.count() == 2
    assert left(api, plain, "USD") == ("1000050.00", "0.00")


def test_an_amount_that_cannot_be_is_named(client, paid):
    for amount in ["0.00", "1.001", "-1"]:
        assert pointed(refund(client, paid, amount)) == ["/amount"]


def test_money_that_is_still_held_is_not_given_back(client):
    own = client.id_in("/virtual-accounts")
    client.do("virtual_accounts.issue", own)
    client.do("virtual_accounts.freeze", own)
    held = client.do("virtual_accounts.deposit", own, {"amount": "5.00"}).json

    assert refund(client, held["provider_reference"], "5.00").code == "VALIDATION_ERROR"
