"""GET /rates: a price for every currency pair, reproducible for clients."""

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

import pytest

from api.payments import exchange_rates
from console.core.money import CURRENCIES, Money
from console.publishing.files import FileFault

RATES = "/sandbox/v1/rates"
HELD = [code for code in CURRENCIES if code != "cNGN"]
PAIRS = [(base, quote) for base in CURRENCIES for quote in CURRENCIES if base != quote]


def test_every_other_currency_is_priced_in_dollars_where_nothing_is_asked(api, plain):
    reply = api.get(RATES, plain)

    assert reply.status == 200, reply.body
    assert [one["quote"] for one in reply.json["data"]] == [one for one in HELD if one != "USD"]
    assert {one["base"] for one in reply.json["data"]} == {"USD"}
    assert reply.json["data"][0]["rate"] == "1475"
    assert (reply.json["has_more"], reply.json["next_cursor"]) == (False, None)


def test_only_what_is_named_is_priced_once(api, plain):
    found = api.get(RATES, plain, "base=NGN&quotes=EUR&quotes=USDT&quotes=EUR").json["data"]

    assert [(one["quote"], one["rate"]) for one in found] == [
        ("EUR", "0.0005898305084"),
        ("USDT", "0.0006779661016"),
    ]


def test_a_pair_that_nobody_exchanges_is_refused(api, plain):
    for query in [
        "base=XYZ",
        "quotes=XYZ",
        "base=USD&quotes=USD",
        "base=cNGN",
        "quotes=cNGN",
        "base=usd",
    ]:
        reply = api.get(RATES, plain, query)

        assert (reply.status, reply.code) == (422, "NO_PROVIDER_ENABLED")


def test_what_is_no_code_is_a_mistake(api, plain):
    for query in ["base=", "base=U$D", "quotes=%00", "pair=USDNGN", "base=A&base=B"]:
        assert api.get(RATES, plain, query).code == "VALIDATION_ERROR"


def test_every_pair_has_a_rate_and_an_amount_is_converted_at_what_is_told():
    for base, quote in PAIRS:
        rate = exchange_rates.FILES.newest().between(base, quote)
        told = Decimal(rate.text)
        assert told == rate.value > 0
        assert len(told.as_tuple().digits) <= 10
        money, places = Money.parse("123456.78", base), Decimal(10) ** -CURRENCIES[quote].exponent
        for rounding in (ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_CEILING):
            converted = Decimal(rate.convert(money, rounding).decimal())
            exact = Decimal("123456.78") * told
            assert converted == exact.quantize(places, rounding), (base, quote)


@pytest.mark.parametrize(("minor", "cents"), [(5_000, 0), (15_000, 2), (25_000, 2), (25_001, 3)])
def test_a_half_goes_to_the_even_neighbour(minor, cents):
    rate = exchange_rates.FILES.newest().between("USDT", "USD")
    assert rate.convert(Money(minor, "USDT"), ROUND_HALF_EVEN).minor == cents


@pytest.mark.parametrize(
    "change",
    [{"XYZ": "1"}, {"NGN": "0"}, {"NGN": "-1"}, {"NGN": "many"}, {"NGN": "NaN"}, {"USD": "2"}],
)
def test_a_file_with_a_rate_that_is_none_is_refused(change):
    newest = exchange_rates.FILES.newest()
    document = json.loads(next(exchange_rates.FILES.folder.glob("*.json")).read_text())
    assert document["per_dollar"] == newest.per_dollar

    with pytest.raises(FileFault):
        exchange_rates.FILES.parse(document | {"per_dollar": newest.per_dollar | change})
