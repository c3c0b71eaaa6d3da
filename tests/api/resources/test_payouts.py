"""POST /payouts and its two reads: validation, and the sandbox's magic amounts."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from api import retention
from api.models import IdempotencyRecord
from api.payments.disbursements import PAYOUTS as VERBS
from api.payments.models import Payout
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from tests.api.asking import faults
from tests.api.paying import ACCOUNT, PAYOUTS, a_payer, body_of, left, pay


@pytest.fixture
def plain():
    return a_payer()


def test_a_payout_leaves_the_balance_and_can_be_read_again(api, plain):
    reply = pay(api, plain, "payout-0001", body_of(reference="INV-7", metadata={"run": "7"}))

    assert reply.status == 201, reply.body
    payout = reply.json
    times = {"created_at": "", "completed_at": ""}
    assert payout | {"id": "", "request_id": "", **times} == {
        "id": "",
        "object": "payout",
        "status": "completed",
        "amount": "1250.00",
        "currency": "NGN",
        "bank_account": ACCOUNT,
        "reference": "INV-7",
        "fee": "0.00",
        "failure": None,
        "failure_reason": None,
        "metadata": {"run": "7"},
        **times,
        "request_id": "",
    }
    assert left(api, plain) == ("998750.00", "0.00")
    read = api.get(f"{PAYOUTS}/{payout['id']}", plain).json
    assert read | {"request_id": ""} == payout | {"request_id": ""}
    listed = api.get(PAYOUTS, plain).json["data"]
    assert listed == [{name: value for name, value in payout.items() if name != "request_id"}]


def test_event_and_audit_entry_name_the_key_the_request_and_the_address(api, plain):
    reply = pay(api, plain, "payout-0001")

    entries = Entry.objects.filter(subject_id=reply.json["id"]).order_by("pk")
    assert [entry.code for entry in entries] == ["payout.created", "payout.completed"]
    for entry in entries:
        assert entry.actor_id == plain.partition(":")[0]
        assert entry.request_id == reply.headers["X-Request-Id"]
        around = json.dumps({"id": entry.request_id, "ip": api.ip, "via": "api"}, sort_keys=True)
        assert around.replace(" ", "") in entry.body
    events = Event.objects.filter(subject_id=reply.json["id"]).order_by("pk")
    assert [event.kind for event in events] == ["payout.created", "payout.completed"]


@pytest.mark.parametrize(
    ("amount", "status", "code"),
    [("10.41", 422, "INSUFFICIENT_BALANCE"), ("10.42", 422, "NO_PROVIDER_ENABLED")],
)
def test_an_amount_that_is_refused_changes_nothing(api, plain, amount, status, code):
    for replayed in (None, "true"):
        reply = pay(api, plain, "payout-0001", body_of(amount))
        assert (reply.status, reply.code) == (status, code)
        assert reply.headers.get("Idempotent-Replayed") == replayed

    assert left(api, plain) == ("1000000.00", "0.00")
    assert not Payout.objects.exists()


def test_a_provider_that_is_away_answers_the_third_try_with_the_same_key(api, plain):
    replies = [pay(api, plain, "payout-0001", body_of("10.43")) for _ in range(4)]

    assert [reply.status for reply in replies] == [503, 503, 201, 201]
    assert replies[0].code == "PROVIDER_UNAVAILABLE"
    assert replies[0].headers["Retry-After"]
    assert replies[2].json["id"] == replies[3].json["id"]
    assert left(api, plain) == ("999989.57", "0.00")
    assert pay(api, plain, "payout-0002", body_of("10.43")).status == 503


def test_an_amount_that_waits_is_reserved_for_five_seconds(api, plain):
    now = clock.now()
    with time_machine.travel(now, tick=False):
        reply = pay(api, plain, "payout-0001", body_of("10.45"))
        assert reply.json["status"] == "pending"
        assert left(api, plain) == ("999989.55", "10.45")
        VERBS.settle_due()
        path = f"{PAYOUTS}/{reply.json['id']}"
        assert api.get(path, plain).json["status"] == "pending"

    with time_machine.travel(now + timedelta(seconds=6), tick=False):
        assert api.get(path, plain).json["status"] == "completed"
        VERBS.settle_due()
    assert left(api, plain) == ("999989.55", "0.00")


def test_more_than_there_is_is_refused(api, plain):
    reply = pay(api, plain, "payout-0001", body_of("1000000.01"))

    assert (reply.status, reply.code) == (422, "INSUFFICIENT_BALANCE")
    assert pay(api, plain, "payout-0002", body_of("1000000.00")).status == 201
    assert left(api, plain) == ("0.00", "0.00")


def test_a_mistake_is_named_and_leaves_no_claim(api, plain):
    change: Any
    for change, pointer, code in [
        ({"amount": 1250}, "/amount", "wrong_type"),
        ({"amount": "1250.001"}, "/amount", "wrong_shape"),
        ({"amount": "01"}, "/amount", "wrong_shape"),
        ({"amount": "-1"}, "/amount", "wrong_shape"),
        ({"amount": "1e3"}, "/amount", "wrong_shape"),
        ({"amount": "0.00"}, "/amount", "out_of_range"),
        ({"amount": "9" * 18}, "/amount", "out_of_range"),
        ({"currency": "XYZ"}, "/currency", "unknown_value"),
        ({"bank_account": {}}, "/bank_account/account_name", "missing"),
        ({"bank_account": ACCOUNT | {"iban": "x"}}, "/bank_account/iban", "wrong_shape"),
        (
            {"bank_account": ACCOUNT | {"iban": "GB82WEST12345698765432"}},
            "/bank_account/account_number",
            "one_of_two",
        ),
        (
            {"bank_account": {n: v for n, v in ACCOUNT.items() if n != "bank_code"}},
            "/bank_account/bank_code",
            "one_of_two",
        ),
        ({"reference": ""}, "/reference", "too_short"),
        ({"metadata": {"run": 7}}, "/metadata/run", "wrong_type"),
        ({"metadata": {"k" * 41: "x"}}, "/metadata", "too_long"),
        ({"metadata": {f"k{n}": "x" for n in range(51)}}, "/metadata", "too_long"),
        ({"metadata": {f"k{n}": "x" * 400 for n in range(30)}}, "/metadata", "too_long"),
        ({"metadata": []}, "/metadata", "wrong_type"),
    ]:
        assert (pointer, code) in faults(pay(api, plain, "payout-0001", body_of() | change))
        assert not IdempotencyRecord.objects.exists()
    assert pay(api, plain, "payout-0001").status == 201


def test_an_iban_names_its_country(api, plain):
    account = {"account_name": "Ada Obi", "country": "GB", "iban": "GB82WEST12345698765432"}

    assert pay(api, plain, "payout-0001", body_of(bank_account=account)).status == 201
    reply = pay(api, plain, "payout-0002", body_of(bank_account=account | {"country": "DE"}))
    assert reply.json["errors"][0]["code"] == "wrong_country"


def test_an_answer_is_forgotten_after_thirty_days_and_its_key_stays_used(api, plain):
    first = pay(api, plain, "payout-0001").json
    IdempotencyRecord.objects.update(created_at=clock.now() - timedelta(days=31))
    retention.forget_old_answers()

    reply = pay(api, plain, "payout-0001")

    assert (reply.status, reply.code) == (409, "IDEMPOTENCY_KEY_REUSED")
    assert reply.json["existing"] == f"/payouts/{first['id']}"
    assert Payout.objects.count() == 1


def test_reading_settles_no_payout_of_another_business(api, plain):
    mine = pay(api, plain, "payout-0001", body_of("10.45")).json["id"]
    other = a_payer()
    theirs = pay(api, other, "payout-0001", body_of("10.45")).json["id"]

    with time_machine.travel(clock.now() + timedelta(seconds=6)):
        assert api.get(f"{PAYOUTS}/{mine}", plain).json["status"] == "completed"
        assert Payout.objects.get(public_id=theirs).status == "pending"
