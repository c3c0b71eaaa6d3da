"""Conversions and transfers of live: at our published rates, executed by the provider."""

import itertools

import pytest

from api.payments import currencies
from api.payments.models import PaymentScreening, ProviderInstruction
from console.accounts.roles import Role
from tests import factories
from tests.api.live.world import a_live_key, an_account, money_in, tell, work

_numbers = itertools.count(1)


@pytest.fixture
def held(api, provider):
    """Return the business and a key of it, with 1000.00 GBP."""
    grant, plain = a_live_key()
    money_in(api, provider, an_account(api, plain, provider, "GBP"), "1000.00", "GBP")
    provider.seen.clear()
    return grant.business, plain


def post(api, plain, path, body):
    key = f"exchange-{next(_numbers):08}"
    return api.post(f"/v1{path}", plain, body, HTTP_IDEMPOTENCY_KEY=key)


def balance(api, plain, currency):
    (one,) = api.get("/v1/balances", plain, f"currency={currency}").json["data"]
    return one["available"], one["reserved"]


def a_quote(api, plain, to="USD", amount="100.00"):
    reply = post(api, plain, "/quotes", {"from": "GBP", "to": to, "amount": amount})
    assert reply.status == 201, reply.body
    return reply.json


def a_beneficiary(api, plain, **more):
    account = {
        "account_name": "Kofi Mensah",
        "country": "GH",
        "account_number": "1234567890123",
        "bank_code": "300303",
    }
    body = {"name": "Kofi Mensah", "country": "GH", "currency": "GHS", "account": account} | more
    reply = post(api, plain, "/beneficiaries", body)
    assert reply.status == 201, reply.body
    return reply.json["id"]


def test_a_conversion_moves_both_balances_when_the_provider_has_converted(api, provider, held):
    _, plain = held
    quote = a_quote(api, plain)
    made = post(api, plain, "/conversions", {"quote_id": quote["id"]})
    assert (made.status, made.json["status"]) == (201, "pending"), made.body
    assert balance(api, plain, "GBP") == ("900.00", "100.00")
    work()
    ((_, _, sent),) = provider.seen
    assert sent["details"] == {"to_amount": made.json["to_amount"], "to_currency": "USD"}
    tell(api, provider, "instruction.completed", made.json["id"], {})
    work()
    assert balance(api, plain, "GBP") == ("900.00", "0.00")
    assert balance(api, plain, "USD") == (made.json["to_amount"], "0.00")
    again = post(api, plain, "/conversions", {"quote_id": quote["id"]})
    assert again.code == "QUOTE_EXPIRED"


def test_a_refused_conversion_returns_the_money(api, provider, held):
    _, plain = held
    made = post(api, plain, "/conversions", {"quote_id": a_quote(api, plain)["id"]}).json
    work()
    tell(api, provider, "instruction.failed", made["id"], {"reason": "other"})
    work()
    assert balance(api, plain, "GBP") == ("1000.00", "0.00")
    assert balance(api, plain, "USD") == ("0.00", "0.00")


def test_a_conversion_to_a_currency_that_was_ended_is_left_to_staff(api, provider, held):
    business, plain = held
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    currencies.opt_in(business, "cNGN", reason="They asked.", by=manager)
    made = post(api, plain, "/conversions", {"quote_id": a_quote(api, plain, "cNGN")["id"]}).json
    work()
    currencies.opt_out(business, "cNGN", reason="They asked.", by=manager)
    tell(api, provider, "instruction.completed", made["id"], {})
    work()
    stuck = ProviderInstruction.objects.get(public_id=made["id"])
    assert (stuck.status, stuck.problem) == ("stuck", "The business no longer has cNGN.")


def test_rates_are_listed_where_a_provider_converts(api, provider, held):
    _, plain = held
    rates = api.get("/v1/rates", plain, "base=GBP&quotes=USD").json["data"]
    assert [one["quote"] for one in rates] == ["USD"]


def test_a_transfer_says_what_arrives_and_to_whom(api, provider, held):
    _, plain = held
    body = {"amount": "50.00", "currency": "GBP", "beneficiary_id": a_beneficiary(api, plain)}
    made = post(api, plain, "/transfers", body)
    assert (made.status, made.json["status"]) == (201, "pending"), made.body
    work()
    ((_, _, sent),) = provider.seen
    details = sent["details"]
    assert (sent["kind"], details["to_currency"]) == ("transfer", "GHS")
    assert details["to_amount"] == made.json["destination_amount"]
    assert details["bank_account"]["account_name"] == "Kofi Mensah"
    tell(api, provider, "instruction.completed", made.json["id"], {})
    work()
    assert balance(api, plain, "GBP") == ("950.00", "0.00")


def test_the_beneficiary_and_another_holder_of_the_account_are_both_screened(api, provider, held):
    _, plain = held
    account = {
        "account_name": "Sanctioned Person",
        "country": "GH",
        "account_number": "1234567890123",
        "bank_code": "300303",
    }
    body = {
        "amount": "50.00",
        "currency": "GBP",
        "beneficiary_id": a_beneficiary(api, plain, account=account),
    }
    made = post(api, plain, "/transfers", body).json
    work()
    row = PaymentScreening.objects.get(object_id=made["id"])
    assert [one["name"] for one in row.parties] == ["Kofi Mensah", "Sanctioned Person"]
    assert (row.status, [one["name"] for one in row.doubts]) == ("matched", ["Sanctioned Person"])
