"""Reasons of refused calls, and the fields they point to."""

import pytest
from django.test import Client as Browser

from api.payments.models import Beneficiary
from api.problem_reasons import REASONS
from tests.api.asking import BY_NAME, Client, a_client, kept_before


@pytest.fixture
def client(api):
    return Client(api, a_client())


def ask(client, name, **changes):
    row = BY_NAME[name]
    return client.ask(row, client.path_of(row), client.body_of(row) | changes)


def told(reply):
    """Return the code, the reason and the pointer."""
    said = reply.json
    return reply.code, said.get("reason"), [one["pointer"] for one in said.get("errors", [])]


@pytest.mark.parametrize(("path", "before", "verb", "reason"), [
    ("/virtual-accounts", ["virtual_accounts.close"], "virtual_accounts.close", "already_done"),
    ("/virtual-accounts", ["virtual_accounts.close"], "virtual_accounts.issue", "wrong_status"),
    ("/virtual-accounts", ["virtual_accounts.issue", "virtual_accounts.freeze"],
     "virtual_accounts.freeze", "already_done"),
    ("/virtual-accounts", [], "virtual_accounts.deposit", "account_not_active"),
    ("/virtual-accounts",
     ["virtual_accounts.issue", "virtual_accounts.freeze", "virtual_accounts.deposit"],
     "virtual_accounts.close", "account_holds_money"),
    ("/cards", ["cards.freeze"], "cards.freeze", "already_done"),
    ("/cards", ["cards.terminate"], "cards.terminate", "already_done"),
    ("/cards", ["cards.terminate"], "cards.unfreeze", "wrong_status"),
    ("/cards", ["cards.freeze"], "cards.pay", "card_not_active"),
    ("/sub-accounts", ["sub_accounts.activate"], "sub_accounts.activate", "already_done"),
])  # fmt: skip
def test_a_refused_change_of_status_says_why(client, path, before, verb, reason):
    own = client.id_in(path)
    for name in before:
        assert client.do(name, own).status < 300
    reply = client.do(verb, own)
    said = reply.json.get("meta", reply.json)
    assert (reply.status, reply.code, said["reason"]) == (422, "VALIDATION_ERROR", reason)


def test_a_refused_change_of_an_endpoint_says_why(client):
    own = client.id_in("/webhook-endpoints")
    change = BY_NAME["webhook_endpoints.change"]
    client.ask(change, f"/webhook-endpoints/{own}", {"status": "paused"})
    assert told(client.do("webhook_endpoints.ping", own))[1] == "endpoint_paused"


KOREAN = {"account_name": "Ada", "country": "KP", "account_number": "12345", "bank_code": "044"}
BIC = {"account_name": "Ada", "country": "DE", "account_number": "12345", "bic": "FTBDKPPY"}


@pytest.mark.parametrize(("name", "changes", "pointers"), [
    ("payouts.create", {"bank_account": KOREAN}, ["/bank_account/country"]),
    ("payouts.create", {"bank_account": BIC, "amount": "x"}, ["/bank_account/bic"]),
    ("payroll_runs.create", {"items": [{"amount": "1.00", "bank_account": BIC}] * 2},
     ["/items/0/bank_account/bic", "/items/1/bank_account/bic"]),
    ("beneficiaries.create", {"country": "KP"}, ["/country"]),
    ("beneficiaries.create", {"account": KOREAN}, ["/account/country"]),
    ("customers.create", {"country": "KP"}, ["/country"]),
    ("cardholders.create", {"address": {"line1": "1", "city": "Sevastopol", "country": "UA"}},
     ["/address"]),
    ("identity_verifications.create", {"country": "KP"}, ["/country"]),
])  # fmt: skip
def test_a_restricted_place_is_pointed_to(client, name, changes, pointers):
    assert told(ask(client, name, **changes)) == (
        "COMPLIANCE_BLOCKED",
        "restricted_place",
        pointers,
    )


def test_whoever_is_restricted_by_now_is_pointed_to(client):
    body = client.body_of(BY_NAME["transfers.create"])
    kept = kept_before(Beneficiary.objects.get(), country="KP")
    body["beneficiary_id"] = kept
    reply = client.ask(BY_NAME["transfers.create"], "/transfers", body)
    assert told(reply) == ("COMPLIANCE_BLOCKED", "restricted_place", ["/beneficiary_id"])


GERMAN = {"account_name": "Ada", "country": "DE", "iban": "DE89370400440532013000"}


@pytest.mark.parametrize(("name", "changes", "reason", "pointers"), [
    ("payouts.create", {"currency": "cNGN"}, "currency_not_available", ["/currency"]),
    ("payouts.create", {"bank_account": GERMAN | {"country": "AX", "iban": "FI2112345600000785"}},
     "no_corridor", ["/bank_account/country"]),
    ("payouts.create", {"amount": "9999999999.00"}, "amount_not_carried", ["/amount"]),
    ("payouts.create", {"amount": "10.42"}, "test_value", ["/amount"]),
    ("quotes.create", {"from": "USD", "to": "USD"}, "no_rate", ["/to"]),
    ("quotes.create", {"from": "USD", "to": "cNGN"}, "currency_not_available", ["/to"]),
    ("virtual_accounts.create", {"currency": "cNGN"}, "currency_not_available", ["/currency"]),
    ("crypto_addresses.create", {"asset": "USDC", "network": "tron"}, "network_not_available",
     ["/network"]),
    ("crypto_addresses.create", {"asset": "cNGN", "network": "bsc"}, "currency_not_available",
     ["/asset"]),
])  # fmt: skip
def test_a_missing_provider_is_told_apart(client, name, changes, reason, pointers):
    reply = ask(client, name, **changes)
    assert told(reply) == ("NO_PROVIDER_ENABLED", reason, pointers)
    assert reply.json["detail"] == REASONS["NO_PROVIDER_ENABLED"][reason]


def test_a_replayed_refusal_points_to_the_same(client):
    row, body = BY_NAME["payouts.create"], client.body_of(BY_NAME["payouts.create"])
    first, again = (
        client.ask(row, "/payouts", body | {"amount": "10.42"}, key="the-same-key") for _ in "12"
    )
    assert again.headers["Idempotent-Replayed"] == "true"
    assert told(again) == told(first) == ("NO_PROVIDER_ENABLED", "test_value", ["/amount"])


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_is_on_the_page_of_its_code(code):
    page = Browser().get(f"/docs/problems/{code.lower().replace('_', '-')}").content.decode()
    for reason in REASONS[code]:
        assert f">{reason}<" in page
