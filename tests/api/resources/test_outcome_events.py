"""Disbursements and other objects to each outcome, and the event that has the object."""

import pytest

from api.sandbox.disbursements import DISBURSEMENTS
from api.sandbox.models import LedgerEntry
from console.events import public_kinds
from tests.api.resource_outcomes import ASKED, FAILS, OUTCOMES

KINDS = {kind.name: kind for kind in public_kinds.every()}
REFUSED = {
    "100.41": "INSUFFICIENT_BALANCE",
    "100.42": "NO_PROVIDER_ENABLED",
    "100.43": "PROVIDER_UNAVAILABLE",
}
FAILURES = {
    "payout": "rejected_by_bank",
    "transfer": "rejected_by_bank",
    "refund": "rejected_by_bank",
    "otc_order": "rejected_by_desk",
    "crypto_withdrawal": "rejected_by_network",
    "digital_service_order": "rejected_by_supplier",
    "conversion": "rejected_by_exchange",
    "payroll_run": "rejected_by_bank",
    "savings_movement": "rejected_by_provider",
    "card_transaction": "declined_by_issuer",
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_is_sent_with_its_object_as_the_api_shows_it(client, name):
    shown = OUTCOMES[name](client)

    told = client.read("/events", f"type={name}&resource={shown['id']}")["data"]
    assert [one["data"] for one in told] == [shown]
    assert KINDS[name].sample.model_validate(shown).model_dump() == shown
    assert shown["status"] in (name.partition(".")[2], "active")


@pytest.mark.parametrize("word", ASKED)
def test_an_amount_that_is_refused_changes_nothing(client, word):
    _, ask = ASKED[word]
    assert {amount: ask(client, amount).code for amount in REFUSED} == REFUSED
    assert not any(one.model._default_manager.exists() for one in DISBURSEMENTS.values())
    # A refund needs a deposit.
    assert not LedgerEntry.objects.exclude(type__in=["opening", "deposit"]).exists()


@pytest.mark.parametrize("word", ASKED)
def test_an_amount_that_fails_comes_back(client, word):
    _, ask = ASKED[word]
    made = ask(client, FAILS).json
    code = made["failure_reason"] if word == "payout" else made["failure"]["code"]
    assert (made["status"], code) == ("failed", FAILURES[word])
    moved = LedgerEntry.objects.filter(source=made["id"]).order_by("pk")
    assert [*moved.values_list("from_account", "to_account")] == [
        ("available", "reserved"),
        ("reserved", "available"),
    ]
