"""Savings: money moves from the balance and back, never more than was saved."""

from datetime import timedelta

import pytest
import time_machine
from django.db.models import Sum

from api.payments.disbursements import SAVINGS_MOVEMENTS
from api.payments.models import LedgerEntry, Savings, SavingsMovement
from console.core import clock
from tests.api.asking import BY_NAME, Client
from tests.api.calling import Caller
from tests.api.paying import left
from tests.waiting import at_once

ROOT = "/sandbox/v1"


@pytest.fixture
def own(client):
    return client.id_in("/savings")


def move(client, own, word, amount):
    return client.do(f"savings.{word}", own, {"amount": amount})


def saved(client, own):
    """Return the savings balance, which must equal the sum of the ledger's entries."""
    shown = client.api.get(f"{ROOT}/savings/{own}", client.plain).json["balance"]
    done = SavingsMovement.objects.filter(savings=own).values_list("public_id", flat=True)
    entries = LedgerEntry.objects.filter(source__in=list(done))
    sent = entries.filter(to_account="external").aggregate(minor=Sum("amount"))["minor"] or 0
    back = entries.filter(from_account="external").aggregate(minor=Sum("amount"))["minor"] or 0
    assert Savings.objects.get(public_id=own).balance == sent - back
    return shown


def test_what_is_put_aside_leaves_the_balance_and_comes_back(api, client, plain, own):
    put = move(client, own, "deposit", "2500.00")
    assert (put.status, put.json["status"], put.json["direction"]) == (201, "completed", "deposit")
    assert saved(client, own) == "2500.00"
    assert left(api, plain) == ("997500.00", "0.00")

    taken = move(client, own, "withdraw", "1000.00").json

    assert (taken["status"], taken["direction"]) == ("completed", "withdrawal")
    assert saved(client, own) == "1500.00"
    assert left(api, plain) == ("998500.00", "0.00")
    (listed,) = api.get(f"{ROOT}/savings", plain).json["data"]
    assert (listed["id"], listed["balance"], listed["name"]) == (own, "1500.00", "Taxes")


@pytest.mark.parametrize(("word", "amount"), [("withdraw", "50.01"), ("deposit", "1000000.00")])
def test_more_than_there_is_moves_nothing(api, client, plain, own, word, amount):
    move(client, own, "deposit", "50.00")

    assert move(client, own, word, amount).code == "INSUFFICIENT_BALANCE"
    assert saved(client, own) == "50.00"
    assert left(api, plain) == ("999950.00", "0.00")


@pytest.mark.parametrize("word", ["deposit", "withdraw"])
def test_a_movement_that_fails_leaves_everything_as_it_was(api, client, plain, own, word):
    move(client, own, "deposit", "50.00")

    made = move(client, own, word, "10.44").json

    assert (made["status"], made["failure"]["code"]) == ("failed", "rejected_by_provider")
    assert saved(client, own) == "50.00"
    assert left(api, plain) == ("999950.00", "0.00")


@pytest.mark.parametrize(("word", "after"), [("deposit", "60.45"), ("withdraw", "39.55")])
def test_a_movement_that_waits_is_completed_when_its_time_has_come(client, own, word, after):
    move(client, own, "deposit", "50.00")
    assert move(client, own, word, "10.45").json["status"] == "pending"
    with time_machine.travel(clock.now() + timedelta(seconds=6)):
        SAVINGS_MOVEMENTS.settle_due()
    assert saved(client, own) == after


@pytest.mark.parametrize("read", ["/savings", "/savings/{id}"])
def test_whoever_looks_sees_no_movement_that_is_late(api, client, plain, own, read):
    move(client, own, "deposit", "10.45")
    address = f"{ROOT}{read.format(id=own)}"
    with time_machine.travel(clock.now() + timedelta(seconds=6), tick=False):
        seen = api.get(address, plain).json
    assert seen.get("data", [seen])[0]["balance"] == "10.45"


def test_withdrawals_at_once_take_at_most_what_is_saved(api, client, plain, own):
    move(client, own, "deposit", "250.00")

    def take(number):
        one = Client(Caller(), plain, first_key=1_000 * (number + 1))
        return move(one, own, "withdraw", "100.00").status

    assert sorted(at_once(8, take)) == [201] * 2 + [422] * 6
    assert saved(client, own) == "50.00"
    assert left(api, plain) == ("999950.00", "0.00")


def test_a_currency_that_is_not_held_is_not_saved(client):
    body = {"name": "Coins", "currency": "cNGN"}
    assert client.ask(BY_NAME["savings.create"], "/savings", body).code == "NO_PROVIDER_ENABLED"
    assert not Savings.objects.exists()
