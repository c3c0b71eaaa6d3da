"""Cards: one card per Idempotency-Key whatever the issuer does, and card payments."""

import time

import pytest

from api.payments.models import Card, CardTransaction
from console.audit.models import Entry
from tests.api.asking import BY_NAME, Client, pointed, without_request
from tests.api.calling import Caller
from tests.api.paying import left
from tests.proofs import Proven, proof
from tests.waiting import PATIENCE, at_once

ROOT = "/sandbox/v1"
CREATE = BY_NAME["cards.create"]
PENDING = {"label": "pending-issuer"}
VERBS = ["activate", "freeze", "unfreeze", "terminate"]
# How a card gets each status: its type, and the actions on it.
WAYS = {
    "inactive": ("physical", []),
    "active": ("virtual", []),
    "frozen": ("virtual", ["freeze"]),
    "terminated": ("virtual", ["terminate"]),
}
MOVES = {
    ("inactive", "activate"): "active",
    ("inactive", "terminate"): "terminated",
    ("active", "freeze"): "frozen",
    ("active", "terminate"): "terminated",
    ("frozen", "unfreeze"): "active",
    ("frozen", "terminate"): "terminated",
}


def issue(client, **more):
    return client.ask(CREATE, "/cards", client.body_of(CREATE) | more)


def pay(client, own, amount="42.00"):
    return client.do("cards.pay", own, {"amount": amount})


# Issuing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "status"), [("virtual", "active"), ("physical", "inactive")])
def test_a_card_shows_four_digits_and_its_expiry(api, client, plain, kind, status):
    made = issue(client, card_type=kind).json

    assert made.keys() - {"request_id"} == {
        "id", "object", "status", "cardholder_id", "card_type", "currency", "label", "last4",
        "expiry_month", "expiry_year", "metadata", "created_at",
    }  # fmt: skip
    assert (made["status"], made["card_type"], made["label"]) == (status, kind, "Fuel")
    assert len(made["last4"]) == 4
    assert made["last4"].isdigit()
    assert api.get(f"{ROOT}/cards", plain).json["data"] == [without_request(made)]
    assert {one.name for one in Card._meta.fields if "number" in one.name or "cv" in one.name} == (
        set()
    )
    (entry,) = Entry.objects.filter(subject_id=made["id"])
    assert entry.code == "card.created"


def test_a_card_for_one_payment_is_not_offered(client):
    assert pointed(issue(client, card_type="single_use")) == ["/card_type"]
    assert not Card.objects.exists()


def test_while_the_issuer_is_pending_the_same_key_goes_on_to_the_one_card(client):
    body = client.body_of(CREATE) | PENDING

    replies = [client.ask(CREATE, "/cards", body, key="card-0001") for _ in range(5)]

    assert [one.status for one in replies] == [503, 503, 503, 201, 201]
    assert {one.code for one in replies[:3]} == {"PROVIDER_UNAVAILABLE"}
    assert all("Retry-After" in one.headers for one in replies[:3])
    assert without_request(replies[3].json) == without_request(replies[4].json)
    assert Card.objects.count() == 1


@proof(
    "R6",
    "retries of a card under a pending issuer, at once and with one key",
    small=6,
    full=50,
    asked="1 card",
)
def test_retries_in_parallel_make_one_card(client, plain, proven: Proven):
    body, until = client.body_of(CREATE) | PENDING, time.monotonic() + PATIENCE

    def retry(_):
        codes = set()
        while time.monotonic() < until:
            reply = Client(Caller(), plain).ask(CREATE, "/cards", body, key="card-0001")
            if reply.status == 201:
                break
            codes.add(reply.code)
        return reply, codes

    found = at_once(proven.size, retry)

    answered = {reply.json.get("id") for reply, _ in found}
    codes = set().union(*(codes for _, codes in found))
    met = (
        Card.objects.count() == 1
        and answered == {Card.objects.get().public_id}
        and codes <= {"PROVIDER_UNAVAILABLE", "IDEMPOTENT_REQUEST_IN_PROGRESS"}
    )
    figure = f"{proven.size} retries at once, {Card.objects.count()} cards"
    proven.reached(figure, met=met, wrong=[*answered, *codes])


def test_a_currency_that_is_not_held_has_no_card(client):
    assert issue(client, currency="cNGN").code == "NO_PROVIDER_ENABLED"
    assert not Card.objects.exists()


# Card actions -----------------------------------------------------------------------------------


def in_status(client, status):
    kind, verbs = WAYS[status]
    own = issue(client, card_type=kind).json["id"]
    for verb in verbs:
        client.do(f"cards.{verb}", own)
    return own


@pytest.mark.parametrize("status", WAYS)
def test_each_verb_moves_as_the_table_says_and_no_other(client, status):
    own = in_status(client, status)
    for verb in [verb for verb in VERBS if (status, verb) not in MOVES]:
        assert client.do(f"cards.{verb}", own).code == "VALIDATION_ERROR", verb
    assert Card.objects.get(public_id=own).status == status
    for verb in [verb for verb in VERBS if (status, verb) in MOVES]:
        own = in_status(client, status)
        assert client.do(f"cards.{verb}", own).status == 200
        assert Card.objects.get(public_id=own).status == MOVES[status, verb]


# Card payments ----------------------------------------------------------------------------------


def test_a_payment_leaves_the_balance_and_is_listed(api, client, plain):
    own = in_status(client, "active")

    made = pay(client, own).json

    assert (made["status"], made["amount"], made["card_id"]) == ("completed", "42.00", own)
    assert left(api, plain, "USD") == ("999958.00", "0.00")


def test_a_card_that_is_not_active_pays_nothing(api, client, plain):
    for status in ["inactive", "frozen", "terminated"]:
        assert pay(client, in_status(client, status)).code == "VALIDATION_ERROR"
        assert not CardTransaction.objects.exists()
        assert left(api, plain, "USD") == ("1000000.00", "0.00")
