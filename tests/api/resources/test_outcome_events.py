"""Disbursements and other objects to each outcome, and the event that has the object."""

import pytest

from api.payments.disbursements import DISBURSEMENTS
from api.payments.models import LedgerEntry
from console.audit.models import Entry
from console.events import public_kinds
from tests.api.asking import ROWS, without_request
from tests.api.resource_outcomes import ASKED, FAILS, OUTCOMES

KINDS = {kind.name: kind for kind in public_kinds.every()}
REFUSED = {
    "100.41": "INSUFFICIENT_BALANCE",
    "100.42": "NO_PROVIDER_ENABLED",
    "100.43": "PROVIDER_UNAVAILABLE",
}
# The type of its ledger entries, and the code of its failure.
BOOKED = {
    "payout": ("payout", "rejected_by_bank"),
    "transfer": ("transfer", "rejected_by_network"),
    "refund": ("refund", "rejected_by_bank"),
    "otc_order": ("otc_order", "rejected_by_desk"),
    "crypto_withdrawal": ("crypto_withdrawal", "rejected_by_network"),
    "digital_service_order": ("digital_service", "rejected_by_supplier"),
    "conversion": ("conversion", "rejected_by_exchange"),
    "payroll_run": ("payroll", "rejected_by_bank"),
    "savings_movement": ("savings", "rejected_by_provider"),
    "card_transaction": ("card_transaction", "declined_by_issuer"),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_is_sent_with_its_object_as_the_api_shows_it(client, name):
    shown = OUTCOMES[name](client)

    told = client.read("/events", f"type={name}&resource={shown['id']}")["data"]
    assert [one["data"] for one in told] == [shown]
    assert KINDS[name].sample.model_validate(shown).model_dump() == shown
    assert shown["status"] in (name.partition(".")[2], "active")


@pytest.mark.parametrize("word", ASKED)
def test_what_is_paid_is_read_again_and_written_down(client, word):
    path, ask = ASKED[word]
    reply = ask(client, "100.00")
    made = without_request(reply.json)
    assert (reply.status, made["status"]) == (201, "completed"), reply.body
    if ("GET", f"{path}/{{id}}") in ROWS:
        assert without_request(client.read(f"{path}/{made['id']}")) == made
    if ("GET", path) in ROWS:
        assert client.read(path)["data"] == [made]
    moved = [one for one in client.read("/transactions")["data"] if one["source"] == made["id"]]
    assert {one["type"] for one in moved} == {BOOKED[word][0]}
    codes = Entry.objects.filter(subject_id=made["id"]).order_by("pk")
    noun = word.removeprefix("digital_")
    assert [one.code for one in codes] == [f"{noun}.created", f"{noun}.completed"]


@pytest.mark.parametrize("word", ASKED)
def test_an_amount_that_is_refused_changes_nothing(client, word):
    _, ask = ASKED[word]
    assert {amount: ask(client, amount).code for amount in REFUSED} == REFUSED
    assert not any(one.model._default_manager.exists() for one in DISBURSEMENTS)
    # A refund needs a deposit.
    assert not LedgerEntry.objects.exclude(type__in=["opening", "deposit"]).exists()


@pytest.mark.parametrize("word", ASKED)
def test_an_amount_that_fails_comes_back(client, word):
    _, ask = ASKED[word]
    made = ask(client, FAILS).json
    code = made["failure_reason"] if word == "payout" else made["failure"]["code"]
    assert (made["status"], code) == ("failed", BOOKED[word][1])
    moved = LedgerEntry.objects.filter(source=made["id"]).order_by("pk")
    assert [*moved.values_list("from_account", "to_account")] == [
        ("available", "reserved"),
        ("reserved", "available"),
    ]
