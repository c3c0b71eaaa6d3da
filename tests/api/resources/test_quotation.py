"""Quotation: the numbers of the specification, each with its source, and a binding id."""

from datetime import timedelta
from types import SimpleNamespace

from django.utils.dateparse import parse_datetime

from api import renderers
from api.payments import quotes
from api.payments.models import Quote
from console.core import clock
from tests.api.asking import Client
from tests.api.calling import Caller, Reply

PATH = "/sandbox/v1/currencies/quotation"
MEMBERS = {
    "from", "to", "fromAmount", "toAmount", "rate", "value", "fromAmountInUSD",
    "fromAmountInUSDRate", "id", "expiration",
}  # fmt: skip


def ask(api: Caller, plain: str, amount=100, source="USD", to="NGN", **more) -> Reply:
    return api.post(PATH, plain, {"from": source, "to": to, "amount": amount}, **more)


def test_it_is_answered_field_for_field(api, plain):
    reply = ask(api, plain, 100.5)

    assert reply.status == 200, reply.body
    said, row = reply.json, Quote.objects.get()
    assert (said["success"], said["message"]) == (True, "Operation successful")
    assert said["data"] == [
        {
            "from": "USD",
            "to": "NGN",
            "fromAmount": 100.5,
            "toAmount": 148237.5,
            "rate": 1475,
            "value": 148237.5,
            "fromAmountInUSD": 100.5,
            "fromAmountInUSDRate": 1,
            "id": row.public_id,
            "expiration": 60,
        }
    ]
    assert parse_datetime(said["meta"]["timestamp"]) is not None


def test_every_number_has_its_source(api, plain):
    for amount, source, to, comes_to, dollars in [
        # Down: 756.5 and 2269.5 cents.
        (10, "USD", "GBP", 7.56, 10),
        (30, "USD", "GBP", 22.69, 30),
        # 100.5 and 101.5 cents of a dollar, half to even.
        (1.005, "USDT", "NGN", 1482.37, 1),
        (1.015, "USDC", "NGN", 1497.12, 1.02),
        (1475, "NGN", "USD", 0.99, 1),
        (100, "NGN", "USDT", 0.067796, 0.07),
        (1, "USDT", "USDC", 1, 1),
    ]:
        (quote,) = ask(api, plain, amount, source, to).json["data"]

        assert quote.keys() == MEMBERS
        assert (quote["fromAmount"], quote["toAmount"]) == (amount, comes_to)
        assert quote["value"] == quote["toAmount"]
        assert quote["fromAmountInUSD"] == dollars
        if source in ("USD", "USDT", "USDC"):
            assert quote["fromAmountInUSDRate"] == 1
        assert all(type(quote[name]) in (int, float) for name in MEMBERS - {"from", "to", "id"})


def test_it_binds_from_the_time_that_it_tells(api, plain, monkeypatch):
    """The answer may be written much later."""
    monkeypatch.setattr(quotes, "LIFETIME", Quote.LIFETIME)
    later = SimpleNamespace(iso=clock.iso, now=lambda: clock.now() + timedelta(days=1))
    monkeypatch.setattr(renderers, "clock", later)
    said = ask(api, plain).json

    row = Quote.objects.get()
    assert said["meta"]["timestamp"] == clock.iso(row.created_at)
    (quote,) = said["data"]
    assert row.expires_at - row.created_at == timedelta(seconds=quote["expiration"])


def test_its_id_is_a_quote_that_a_conversion_uses(api, plain):
    (quote,) = ask(api, plain).json["data"]

    made = Client(api, plain).do("conversions.create", "", {"quote_id": quote["id"]})

    assert (made.status, made.json["quote_id"]) == (201, quote["id"])


def test_what_cannot_be_quoted_is_refused(api, plain):
    for amount, source, to, code in [
        (1, "USD", "USD", "NO_PROVIDER_ENABLED"),
        (1, "cNGN", "USD", "NO_PROVIDER_ENABLED"),
        (0.001, "USD", "NGN", "VALIDATION_ERROR"),
        (0, "USD", "NGN", "VALIDATION_ERROR"),
        ("1", "USD", "NGN", "VALIDATION_ERROR"),
        (1, "usd", "NGN", "VALIDATION_ERROR"),
        # Less than a conversion takes, nothing, or more digits than a number can hold.
        (0.99, "USD", "NGN", "VALIDATION_ERROR"),
        (10, "NGN", "USD", "VALIDATION_ERROR"),
        (10**12, "USD", "NGN", "VALIDATION_ERROR"),
    ]:
        reply = ask(api, plain, amount, source, to)

        assert (reply.status, reply.code) == (422, code)
        assert reply.json["meta"]["request_id"] == reply.headers["X-Request-Id"]
        assert not Quote.objects.exists()
