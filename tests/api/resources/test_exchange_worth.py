"""Exchanging never increases the total value of balances, and pays exactly what was quoted."""

from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.payments import exchange_rates
from console.core.money import ASSETS, CURRENCIES, Money
from tests.api.asking import BY_NAME, ROWS, Client, a_client, faults

HELD = [code for code, one in CURRENCIES.items() if not one.opt_in]
codes = st.sampled_from(HELD)
coins = st.sampled_from([code for code in ASSETS if code in HELD])
paid_with = st.sampled_from([code for code in HELD if code not in ASSETS])
# Mostly near the minimum amount, where rounding has the largest effect.
units = st.integers(1, 20_000) | st.integers(1, 50_000_000)
exchanges = st.sampled_from(["/quotes", "/currencies/quotation"]), codes, codes, units
orders = st.sampled_from(["buy", "sell"]), coins, paid_with, units
steps = st.lists(st.tuples(*exchanges) | st.tuples(*orders), min_size=1, max_size=6)


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
@given(steps=steps)
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


def test_what_is_too_little_to_exchange_is_neither_quoted_nor_exchanged(api):
    client = Client(api, a_client())
    for said in [
        order(client, "buy", "USDT", "USD", 999_999),
        exchange(client, "/quotes", "USD", "NGN", 99),
        exchange(client, "/currencies/quotation", "USD", "NGN", 99),
        exchange(client, "/quotes", "NGN", "USD", 737),
        exchange(client, "/currencies/quotation", "NGN", "USD", 737),
    ]:
        assert faults(said) == [("/amount", "out_of_range")]


# A quote is a promise ---------------------------------------------------------------------------

# What the amount or the balance decides in the sandbox, after the quote.
OF_THE_DAY = {"INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED", "PROVIDER_UNAVAILABLE"}


def floored(amount, rate, currency):
    """Return amount times rate, rounded down to the exponent of a currency."""
    unit = Decimal(1).scaleb(-CURRENCIES[currency].exponent)
    return (Decimal(str(amount)) * Decimal(str(rate))).quantize(unit, ROUND_FLOOR)


def test_what_is_quoted_is_converted_and_pays_what_was_quoted(api, unlimited):
    client = Client(api, a_client())

    @settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=60)
    @given(*exchanges)
    def convert(path, source, to, minor):
        amount = Money(minor, source).decimal()
        body = {"from": source, "to": to, "amount": amount if path == "/quotes" else float(amount)}
        said = client.ask(ROWS["POST", path], path, body)
        if said.status >= 300:
            return
        (quote,) = [said.json] if path == "/quotes" else said.json["data"]
        assert Decimal(str(quote["toAmount"])) == floored(amount, quote["rate"], to) > 0
        assert quote["value"] == quote["toAmount"]
        made = client.ask(ROWS["POST", "/conversions"], "/conversions", {"quote_id": quote["id"]})
        if made.status == 201:
            assert Decimal(made.json["to_amount"]) == Decimal(str(quote["toAmount"]))
        else:
            assert made.code in OF_THE_DAY, made.body

    convert()


def test_an_otc_order_pays_its_price_times_its_amount(api, unlimited):
    client = Client(api, a_client())

    @settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=20)
    @given(*orders)
    def trade(side, asset, currency, minor):
        made = order(client, side, asset, currency, minor)
        if made.status == 201:
            amount = Decimal(made.json["amount"]) * (1 if side == "sell" else -1)
            total = floored(amount, made.json["price"], currency)
            assert Decimal(made.json["total"]) == abs(total)

    trade()


def test_a_transfer_by_a_quotation_delivers_what_was_quoted(api):
    client, path = Client(api, a_client()), "/currencies/quotation"
    asked = {"from": "USD", "to": "GHS", "amount": 10.07}
    (quote,) = client.ask(ROWS["POST", path], path, asked).json["data"]
    row = BY_NAME["beneficiaries.create"]
    paid = client.ask(row, row.path, client.body_of(row) | {"country": "GH", "currency": "GHS"})
    body = {"amount": "10.07", "currency": "USD", "beneficiary_id": paid.json["id"]}
    made = client.ask(ROWS["POST", "/transfers"], "/transfers", body | {"quote_id": quote["id"]})

    assert made.status == 201, made.body
    assert Decimal(made.json["destination_amount"]) == Decimal(str(quote["toAmount"]))
