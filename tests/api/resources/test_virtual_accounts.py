"""Virtual accounts: their names, the table of section 2.16, and deposits that count once."""

import json
from datetime import timedelta

import pytest
import time_machine

from api.payments import virtual_accounts
from api.payments.models import Deposit, VirtualAccount
from apikeys.models import ApiKey
from apikeys.webhooks.models import PublicEvent
from console.accounts.models import Business
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.api.asking import BY_NAME, Client, a_client, without_request
from tests.api.calling import Caller
from tests.waiting import at_once

ROOT = "/sandbox/v1"
ACCOUNTS = f"{ROOT}/virtual-accounts"
CREATE = BY_NAME["virtual_accounts.create"]
VERBS = ["issue", "require_action", "resubmit", "fail", "freeze", "unfreeze", "close"]
# How an account gets each status, and the result of each action on it (2.16).
WAYS = {
    "pending": [],
    "requires_action": ["require_action"],
    "active": ["issue"],
    "frozen": ["issue", "freeze"],
    "failed": ["fail"],
    "closed": ["close"],
}
MOVES = {
    ("pending", "issue"): "active",
    ("pending", "require_action"): "requires_action",
    ("pending", "fail"): "failed",
    ("pending", "close"): "closed",
    ("requires_action", "resubmit"): "pending",
    ("requires_action", "fail"): "failed",
    ("requires_action", "close"): "closed",
    ("active", "freeze"): "frozen",
    ("active", "close"): "closed",
    ("frozen", "unfreeze"): "active",
    ("frozen", "close"): "closed",
}


def business_of(plain: str) -> Business:
    return ApiKey.objects.get(public_id=plain.partition(":")[0]).business


def make(client, **body):
    return client.ask(CREATE, "/virtual-accounts", {"currency": "USD"} | body)


def in_status(client, status="active", **body):
    """Return the id of an account that the test helpers brought to this status."""
    own = make(client, **body).json["id"]
    for verb in WAYS[status]:
        assert client.do(f"virtual_accounts.{verb}", own).status == 200
    return own


def arrive(client, own, amount="250.00", **more):
    return client.do("virtual_accounts.deposit", own, {"amount": amount} | more)


def held(client, currency="USD"):
    """Return the available and pending amounts of a currency."""
    reply = client.api.get(f"{ROOT}/balances", client.plain, f"currency={currency}")
    (one,) = reply.json["data"]
    return one["available"], one["pending"]


def test_an_account_is_pending_until_it_is_issued(api, client, plain):
    body = client.body_of(CREATE)
    made = make(client, **body).json

    assert {name: made[name] for name in body} == body
    assert made.keys() - {"request_id"} == {
        "id", "object", "status", "currency", "account_name", "account_number", "bank_name",
        "customer_id", "account_type", "reference", "metadata", "created_at", "reasons",
    }  # fmt: skip
    assert (made["status"], made["account_type"]) == ("pending", "dedicated")
    assert (made["account_number"], made["bank_name"]) == ("", "")
    issued = client.do("virtual_accounts.issue", made["id"]).json
    assert issued["status"] == "active"
    assert len(issued["account_number"]) == 10
    assert issued["bank_name"] == "Sandbox Bank"
    assert api.get(ACCOUNTS, plain).json["data"] == [without_request(issued)]
    (event,) = PublicEvent.objects.filter(kind="virtual_account.active")
    assert json.loads(bytes(event.body))["data"] == without_request(issued)
    codes = Entry.objects.filter(subject_id=made["id"]).order_by("pk")
    assert [one.code for one in codes] == ["virtual_account.created", "virtual_account.active"]


# Account names ----------------------------------------------------------------------------------


def test_the_name_is_what_was_asked_for_else_a_placeholder(client, plain):
    placeholder = f"BUSINESS {business_of(plain).public_id}"

    assert make(client, account_name="Ada Obi").json["account_name"] == "Ada Obi"
    assert make(client).json["account_name"] == placeholder
    # The customer is not verified.
    customer = client.id_in("/customers")
    assert make(client, customer_id=customer).json["account_name"] == placeholder


def test_a_naira_account_is_in_the_legal_name_of_the_business(client, plain):
    business = business_of(plain)
    asked = {"currency": "NGN", "account_name": "Somebody else"}
    assert make(client, **asked).json["account_name"] == business.name

    application = factories.an_application(ApplicationStatus.EXECUTED, business=business)
    factories.change(Business.objects.filter(pk=business.pk), name="Called Otherwise")

    stated = application.submission.answers["li_legal_name"]
    assert make(client, **asked).json["account_name"] == stated != business.name


# The table of 2.16 ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", WAYS)
def test_each_verb_moves_as_the_table_says_and_no_other(client, status):
    own = in_status(client, status)
    for verb in [verb for verb in VERBS if (status, verb) not in MOVES]:
        assert client.do(f"virtual_accounts.{verb}", own).code == "VALIDATION_ERROR", verb
    assert VirtualAccount.objects.get(public_id=own).status == status
    for verb in [verb for verb in VERBS if (status, verb) in MOVES]:
        reply = client.do(f"virtual_accounts.{verb}", in_status(client, status))
        assert (reply.status, reply.json["status"]) == (200, MOVES[status, verb]), verb


def test_only_who_froze_an_account_lets_it_on(client):
    own = in_status(client)
    ours, theirs = {"authority": "business"}, {"authority": "compliance"}
    assert client.do("virtual_accounts.freeze", own, theirs).status == 200

    assert client.do("virtual_accounts.unfreeze", own, ours).code == "VALIDATION_ERROR"
    assert client.do("virtual_accounts.unfreeze", own, {}).json["status"] == "active"


def test_what_nobody_supplies_fails_the_account_after_thirty_days(client):
    own, answered = in_status(client, "requires_action"), in_status(client, "requires_action")
    client.do("virtual_accounts.resubmit", answered)
    for days, status in ((29, "requires_action"), (31, "failed")):
        with time_machine.travel(clock.now() + timedelta(days=days)):
            virtual_accounts.fail_unanswered()
        assert VirtualAccount.objects.get(public_id=own).status == status
    assert VirtualAccount.objects.get(public_id=answered).status == "pending"


def test_two_accounts_have_two_numbers(client):
    for _ in range(3):
        in_status(client)

    numbers = VirtualAccount.objects.values_list("account_number", flat=True)
    assert len(set(numbers)) == 3


# Deposits ---------------------------------------------------------------------------------------


def test_a_deposit_is_booked_and_told(api, client, plain):
    own = in_status(client)

    reply = arrive(client, own, source_reference="FT1", provider_reference="P1")

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["amount"], made["currency"]) == ("settled", "250.00", "USD")
    assert held(client) == ("1000250.00", "0.00")
    moved = api.get(f"{ROOT}/transactions", plain, "currency=USD&limit=1").json["data"][0]
    assert (moved["type"], moved["direction"], moved["source"]) == ("deposit", "credit", made["id"])
    (event,) = PublicEvent.objects.filter(kind="deposit.settled")
    assert json.loads(bytes(event.body))["data"] == {
        "id": made["id"],
        "object": "deposit",
        "status": "settled",
        "environment": "sandbox",
        "currency": "USD",
        "amount_minor": 25_000,
        "source": "bank_transfer",
        "source_reference": "FT1",
        "provider_reference": "P1",
        "virtual_account_id": own,
        "checkout_session_id": None,
        "late": False,
        "settled_at": made["settled_at"],
        "metadata": {},
    }


def test_a_provider_reference_counts_once_for_a_business(api, client):
    own = in_status(client)
    first = arrive(client, own, provider_reference="P1").json
    again = arrive(client, own, "999.00", provider_reference="P1")

    assert (again.status, without_request(again.json)) == (201, without_request(first))
    assert held(client) == ("1000250.00", "0.00")
    assert Event.objects.filter(kind="deposit.settled").count() == 1
    # Another business simulates its own provider and cannot use this one's references.
    other = Client(api, a_client())
    theirs = arrive(other, in_status(other), provider_reference="P1").json
    assert theirs["id"] != first["id"]
    assert held(other) == ("1000250.00", "0.00")


def test_a_provider_reference_counts_once_in_parallel(client, plain):
    own = in_status(client)

    def deposit(number):
        one = Client(Caller(), plain, first_key=1_000 * (number + 1))
        return arrive(one, own, provider_reference="P1")

    replies = at_once(8, deposit)

    assert {reply.status for reply in replies} == {201}
    assert len({reply.json["id"] for reply in replies}) == 1
    assert held(client) == ("1000250.00", "0.00")


def test_what_arrives_on_a_frozen_account_is_held_until_it_is_let_on(client):
    own = in_status(client, "frozen")

    made = arrive(client, own).json

    assert (made["status"], made["settled_at"]) == ("held", None)
    assert held(client) == ("1000000.00", "250.00")
    assert client.do("virtual_accounts.close", own).code == "VALIDATION_ERROR"
    assert not Event.objects.filter(kind="deposit.settled").exists()
    client.do("virtual_accounts.unfreeze", own)
    assert held(client) == ("1000250.00", "0.00")
    assert Event.objects.filter(kind="deposit.settled").count() == 1
    assert client.do("virtual_accounts.close", own).json["status"] == "closed"


def test_nothing_arrives_on_an_account_that_is_not_open(client):
    for status in ["pending", "requires_action", "failed", "closed"]:
        assert arrive(client, in_status(client, status)).code == "VALIDATION_ERROR"
        assert not Deposit.objects.exists()
        assert held(client) == ("1000000.00", "0.00")
