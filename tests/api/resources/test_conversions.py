"""Quotes and conversions: exactly the quoted amounts move, once, in both balances or in neither."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from api.payments import quotes, reconciliation
from api.payments.disbursements import CONVERSIONS
from api.payments.models import Balance, Conversion, Quote
from console.accounts.actors import SYSTEM
from console.audit.models import Entry
from console.core import clock
from tests.api.asking import ROWS, Client, a_client, faults, without_request
from tests.api.calling import Caller
from tests.api.paying import left
from tests.waiting import at_once

ROOT = "/sandbox/v1"
QUOTE, CONVERSION = ROWS["POST", "/quotes"], ROWS["POST", "/conversions"]


def quoted(client, amount="250.00", to="NGN", **more):
    return client.ask(QUOTE, "/quotes", {"from": "USD", "to": to, "amount": amount} | more)


def convert(client, quote_id):
    return client.ask(CONVERSION, "/conversions", {"quote_id": quote_id})


# Quotes ------------------------------------------------------------------------------------------


def test_a_quote_has_the_members_that_are_specified_and_can_be_read(api, client, plain):
    reply = quoted(client, "100.10", "EUR", **{"from": "GHS"})

    assert reply.status == 201, reply.body
    made = reply.json
    assert made | {"id": "", "created_at": "", "request_id": ""} == {
        "id": "",
        "object": "quote",
        "from": "GHS",
        "to": "EUR",
        "fromAmount": "100.10",
        "toAmount": "8.00",
        "rate": "0.08",
        "value": "8.00",
        "fromAmountInUSD": "9.20",
        "fromAmountInUSDRate": "0.09195402298",
        "expiration": 60,
        "created_at": "",
        "request_id": "",
    }
    read = api.get(f"{ROOT}/quotes/{made['id']}", plain).json
    assert without_request(read) == without_request(made)
    assert [one.code for one in Entry.objects.filter(subject_id=made["id"])] == ["quote.created"]


def test_a_dollar_is_a_dollar(client):
    for source in ["USD", "USDT", "USDC"]:
        made = quoted(client, "12.50", "NGN", **{"from": source}).json

        assert (made["fromAmountInUSD"], made["fromAmountInUSDRate"]) == ("12.50", "1")


def test_a_mistake_in_a_quote_is_named(client):
    change: Any
    for change, pointer, code in [
        ({"amount": "0.01", "from": "NGN", "to": "USD"}, "/amount", "out_of_range"),
        ({"amount": "9" * 16, "from": "USD", "to": "NGN"}, "/amount", "out_of_range"),
        ({"amount": "0.00"}, "/amount", "out_of_range"),
        ({"amount": "1.001"}, "/amount", "wrong_shape"),
        ({"from": "XYZ"}, "/from", "unknown_value"),
        ({"to": None}, "/to", "is_null"),
    ]:
        assert (pointer, code) in faults(quoted(client, **change))
        assert not Quote.objects.exists()


@pytest.mark.parametrize(
    ("amount", "source", "to", "said"),
    [
        ("7.37", "NGN", "USD", "Send a larger amount. Its value in USD is rounded to zero."),
        ("9" * 16, "USD", "NGN", "Send a smaller amount. Its value in NGN exceeds"),
    ],
)
def test_what_comes_to_nothing_or_too_much_says_which(client, amount, source, to, said):
    (fault,) = quoted(client, amount, to, **{"from": source}).json["errors"]
    assert (fault["pointer"], fault["code"]) == ("/amount", "out_of_range")
    assert fault["detail"].startswith(said)


# Conversions -------------------------------------------------------------------------------------


def test_a_conversion_moves_both_balances_and_is_told(api, client, plain):
    quote = quoted(client).json
    reply = convert(client, quote["id"])

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["quote_id"]) == ("completed", quote["id"])
    assert (made["from"], made["from_amount"]) == ("USD", quote["fromAmount"])
    assert (made["to"], made["to_amount"], made["rate"]) == ("NGN", "368750.00", "1475")
    assert (made["fee"], made["failure"]) == ("0.00", None)
    assert left(api, plain, "USD") == ("999750.00", "0.00")
    assert left(api, plain, "NGN") == ("1368750.00", "0.00")
    moved = api.get(f"{ROOT}/transactions", plain, "limit=3").json["data"]
    assert [(one["direction"], one["currency"]) for one in moved] == [
        ("credit", "NGN"),
        ("debit", "USD"),
        ("internal", "USD"),
    ]
    reconciliation.reconcile(by=SYSTEM)
    assert not Balance.objects.filter(last_reconciled_at=None).exists()


def test_a_quote_is_used_once(client):
    quote = quoted(client).json["id"]

    assert convert(client, quote).status == 201
    reply = convert(client, quote)

    assert (reply.status, reply.code) == (422, "QUOTE_EXPIRED")
    assert reply.json["reason"] == "quote_used"
    assert reply.json["detail"] == "The quote was already used. Request a new one."
    assert Conversion.objects.count() == 1


@pytest.mark.parametrize(("after", "status"), [(59, 201), (60, 422), (61, 422)])
def test_a_quote_binds_for_a_minute(client, monkeypatch, after, status):
    # The documented lifetime, which other tests extend.
    monkeypatch.setattr(quotes, "LIFETIME", Quote.LIFETIME)
    with time_machine.travel(clock.now(), tick=False) as now:
        quote = quoted(client).json["id"]
        now.shift(after)
        reply = convert(client, quote)

    assert reply.status == status
    if status == 422:
        assert (reply.code, reply.json["reason"]) == ("QUOTE_EXPIRED", "quote_expired")
    assert Conversion.objects.count() == (status == 201)


def test_a_conversion_that_is_refused_leaves_its_quote_unused(api, client, plain):
    quote = quoted(client, "1000000.01").json["id"]

    assert convert(client, quote).code == "INSUFFICIENT_BALANCE"
    assert Quote.objects.get(public_id=quote).used_at is None
    assert not Conversion.objects.exists()
    for currency in ("USD", "NGN"):
        assert left(api, plain, currency) == ("1000000.00", "0.00")


def test_a_conversion_that_waits_brings_in_what_was_quoted_once(api, client, plain):
    made = convert(client, quoted(client, "10.45").json["id"]).json
    assert (made["status"], made["completed_at"]) == ("pending", None)
    assert left(api, plain, "USD") == ("999989.55", "10.45")
    assert left(api, plain, "NGN") == ("1000000.00", "0.00")

    with time_machine.travel(clock.now() + timedelta(seconds=6)):
        CONVERSIONS.settle_due()
        CONVERSIONS.settle_due()
        assert api.get(f"{ROOT}/conversions/{made['id']}", plain).json["status"] == "completed"
    assert left(api, plain, "USD") == ("999989.55", "0.00")
    assert left(api, plain, "NGN") == ("1015413.75", "0.00")


# Many at once ------------------------------------------------------------------------------------


def in_parallel(plain, number):
    """Return a client with unique Idempotency-Keys."""
    return Client(Caller(), plain, first_key=1_000 * (number + 1))


def test_a_quote_is_used_once_by_many_at_once(plain):
    quote = quoted(in_parallel(plain, 99)).json["id"]

    def ask(number):
        reply = convert(in_parallel(plain, number), quote)
        return reply.json.get("code", reply.status)

    said = at_once(6, ask)

    assert sorted(map(str, said)) == ["201", *["QUOTE_EXPIRED"] * 5]
    assert Conversion.objects.count() == 1
    api = Caller()
    assert left(api, plain, "USD") == ("999750.00", "0.00")
    assert left(api, plain, "NGN") == ("1368750.00", "0.00")


def test_conversions_there_and_back_at_once_do_not_wait_in_a_circle():
    """Half convert dollars to naira and half the reverse: both lock the same two balances."""
    plain = a_client()
    pairs = [("USD", "NGN"), ("NGN", "USD")] * 3
    asked = [quoted(in_parallel(plain, 50 + n), "1475.00", to, **{"from": source}).json
             for n, (source, to) in enumerate(pairs)]  # fmt: skip

    def ask(number):
        reply = convert(in_parallel(plain, number), asked[number]["id"])
        return reply.status, reply.body

    assert [status for status, _ in at_once(6, ask)] == [201] * 6
    reconciliation.reconcile(by=SYSTEM)
    assert not Balance.objects.filter(stopped_at__isnull=False).exists()
