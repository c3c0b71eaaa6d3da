"""Exchanging never increases the total value of a business's balances."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.sandbox import exchange_rates
from console.core.money import ASSETS, CURRENCIES, Money
from tests.api.asking import ROWS, Client, a_client

HELD = [code for code, one in CURRENCIES.items() if not one.opt_in]
codes = st.sampled_from(HELD)
coins = st.sampled_from([code for code in ASSETS if code in HELD])
paid_with = st.sampled_from([code for code in HELD if code not in ASSETS])
# Mostly near the minimum amount, where rounding has the largest effect.
units = st.integers(1, 20_000) | st.integers(1, 50_000_000)
exchanges = st.tuples(st.sampled_from(["/quotes", "/currencies/quotation"]), codes, codes, units)
orders = st.tuples(st.sampled_from(["buy", "sell"]), coins, paid_with, units)


def worth(client):
    """Return the total of all balances in dollars, exactly, at the rates of the file."""
    per_dollar = exchange_rates.current().per_dollar
    return sum(
        Fraction(Decimal(one["available"]) + Decimal(one["pending"]) + Decimal(one["reserved"]))
        / Fraction(per_dollar[one["currency"]])
        for one in client.read("/balances", "limit=100")["data"]
    )


def exchange(client, path, source, to, minor):
    amount = Money(minor, source).decimal()
    body = {"from": source, "to": to, "amount": amount if path == "/quotes" else float(amount)}
    said = client.ask(ROWS["POST", path], path, body)
    if said.status < 300:
        quote = said.json["id"] if path == "/quotes" else said.json["data"][0]["id"]
        said = client.ask(ROWS["POST", "/conversions"], "/conversions", {"quote_id": quote})
    return said


def order(client, side, asset, currency, minor):
    amount = Money(minor, asset).decimal()
    body = {"side": side, "asset": asset, "currency": currency, "amount": amount}
    return client.ask(ROWS["POST", "/otc-orders"], "/otc-orders", body)


@settings(suppress_health_check=list(HealthCheck))
@given(steps=st.lists(exchanges | orders, min_size=1, max_size=6))
def test_no_sequence_of_exchanges_makes_balances_worth_more(api, steps):
    client = Client(api, a_client())
    before = worth(client)

    for step in steps:
        (order if step[0] in ("buy", "sell") else exchange)(client, *step)

    assert worth(client) <= before


def test_forty_small_orders_gain_nothing(api):
    client = Client(api, a_client())
    before = worth(client)

    for _ in range(40):
        assert order(client, "buy", "USDT", "USD", 1_004_900).status == 201

    assert worth(client) < before


def test_what_is_too_little_to_exchange_is_refused(api):
    client = Client(api, a_client())
    for said, pointer in [
        (order(client, "buy", "USDT", "USD", 999_999), "/amount"),
        (exchange(client, "/quotes", "USD", "NGN", 99), "/amount"),
        (exchange(client, "/currencies/quotation", "USD", "NGN", 99), "/quote_id"),
    ]:
        assert (said.status, said.code) == (422, "VALIDATION_ERROR"), said.body
        (fault,) = said.json["errors"]
        assert (fault["pointer"], fault["code"]) == (pointer, "out_of_range")


def test_a_conversion_by_a_quotation_rounds_down(api):
    client, ten = Client(api, a_client()), {"from": "USD", "to": "GBP", "amount": 30}
    path = "/currencies/quotation"
    (quote,) = client.ask(ROWS["POST", path], path, ten).json["data"]
    body = {"quote_id": quote["id"]}
    made = client.ask(ROWS["POST", "/conversions"], "/conversions", body).json

    assert (quote["toAmount"], made["to_amount"]) == (22.7, "22.69")
