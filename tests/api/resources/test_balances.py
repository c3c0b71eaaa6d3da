"""GET /balances: the balances of a business, with pagination."""

from itertools import count

import pytest
from django.db import transaction

from api.payments import ledger
from api.payments.models import Account, Balance, EntryType
from console.accounts.actors import SYSTEM
from console.audit import log as audit
from console.core.money import CURRENCIES, Money
from tests.api.asking import pointed
from tests.apikeys import world
from tests.databases import as_owner, go_past_triggers

BALANCES = "/sandbox/v1/balances"
OPENED = [code for code in CURRENCIES if code != "cNGN"]


@pytest.fixture
def plain():
    return world.a_key()[1]


def move(minor, leaves, enters):
    """Move dollars of the only business."""
    balance = Balance.objects.select_related("business").get(currency="USD")
    money = Money(minor, "USD")
    with transaction.atomic():
        ledger.post(balance.business, "sandbox", money, (leaves, enters), EntryType.PAYOUT, "")
        audit.record("test.moved", balance.business, by=SYSTEM, business=balance.business)


def currencies(reply):
    return [one["currency"] for one in reply.json["data"]]


def test_it_lists_every_balance_of_the_sandbox(api, plain):
    reply = api.get(BALANCES, plain)

    assert reply.status == 200
    assert currencies(reply) == OPENED
    body = reply.json
    assert (body["object"], body["has_more"]) == ("list", False)
    assert (body["next_cursor"], body["prev_cursor"]) == (None, None)
    assert body["data"][0] == {
        "object": "balance",
        "currency": "NGN",
        "available": "1000000.00",
        "pending": "0.00",
        "reserved": "0.00",
        "total": "1000000.00",
        "last_reconciled_at": body["data"][0]["last_reconciled_at"],
    }
    assert body["data"][9]["available"] == "100000.000000"


def test_the_total_is_all_that_is_there(api, plain):
    for minor, account in ((20, Account.PENDING), (300, Account.RESERVED)):
        move(minor, Account.AVAILABLE, account)

    usd = api.get(BALANCES, plain, query="currency=USD").json["data"][0]

    assert (usd["available"], usd["pending"]) == ("999996.80", "0.20")
    assert (usd["reserved"], usd["total"]) == ("3.00", "1000000.00")


def test_it_lists_the_currencies_that_are_named(api, plain):
    reply = api.get(BALANCES, plain, query="currency=EUR&currency=GBP&currency=EUR")

    assert sorted(currencies(reply)) == ["EUR", "GBP"]


def test_a_currency_that_was_not_opted_into_is_not_there(api, plain):
    assert currencies(api.get(BALANCES, plain, query="currency=cNGN")) == []


def test_an_unknown_currency_is_answered_with_those_that_exist(api, plain):
    reply = api.get(BALANCES, plain, query="currency=XYZ")

    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR")
    assert reply.json["errors"][0]["pointer"] == "/currency/0"
    assert reply.json["errors"][0]["allowed"] == list(CURRENCIES)


def test_a_limit_out_of_bounds_is_told_and_never_clamped(api, plain):
    for limit in ["0", "101", "-1", "1.5", "ten", "", "١", "99999999999"]:
        assert pointed(api.get(BALANCES, plain, query=f"limit={limit}")) == ["/limit"]


def test_every_mistake_is_told_at_once(api, plain):
    reply = api.get(BALANCES, plain, query="limit=0&currency=XYZ&curency=USD&limit=5")

    assert [(e["pointer"], e["code"]) for e in reply.json["errors"]] == [
        ("/curency", "unknown_parameter"),
        ("/limit", "repeated"),
        ("/currency/0", "unknown_value"),
    ]
    assert reply.json["errors"][0]["allowed"] == ["cursor", "limit", "currency"]


def test_a_query_that_cannot_be_read_is_refused(api, plain):
    for query in ["&".join(["currency=USD"] * 61), "currency=%ff%fe"]:
        assert api.get(BALANCES, plain, query=query).status == 400


def walk(api, plain, limit, link="next_cursor", cursor=""):
    """Follow the links to the last page and return all pages."""
    pages, number = [], count()
    while next(number) < 20:
        query = f"limit={limit}" + (f"&cursor={cursor}" if cursor else "")
        reply = api.get(BALANCES, plain, query=query)
        assert reply.status == 200, reply.body
        pages.append(reply)
        cursor = reply.json[link]
        if not cursor:
            break
    return pages


def test_pages_show_every_row_once_and_lead_back(api, plain):
    for limit in [2, 5, 10, 11]:
        pages = walk(api, plain, limit)

        assert [code for page in pages for code in currencies(page)] == OPENED
        assert [page.json["has_more"] for page in pages] == [True] * (len(pages) - 1) + [False]
        assert pages[0].json["prev_cursor"] is None
        if len(pages) > 1:
            back = walk(api, plain, limit, "prev_cursor", pages[-1].json["prev_cursor"])
            assert [currencies(page) for page in back] == [currencies(p) for p in pages[-2::-1]]
            assert all(page.json["has_more"] for page in back)


def test_a_new_row_does_not_shift_the_pages(api, plain):
    first = api.get(BALANCES, plain, query="limit=3")
    oldest = Balance.objects.latest("created_at")
    Balance.objects.create(
        business=oldest.business,
        environment="sandbox",
        currency="cNGN",
        created_at=oldest.created_at,
    )

    second = api.get(BALANCES, plain, query=f"limit=3&cursor={first.json['next_cursor']}")

    assert currencies(first) + currencies(second) == OPENED[:6]


def test_a_cursor_survives_the_row_it_points_to(api, plain):
    first = api.get(BALANCES, plain, query="limit=3")
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute("DELETE FROM sandbox_balance WHERE currency = %s", [OPENED[2]])

    second = api.get(BALANCES, plain, query=f"limit=3&cursor={first.json['next_cursor']}")

    assert currencies(second) == OPENED[3:6]


def test_a_cursor_belongs_to_its_caller_and_its_filters(api, plain):
    cursor = api.get(BALANCES, plain, query="limit=3").json["next_cursor"]
    middle = len(cursor) // 2
    altered = cursor[:middle] + ("B" if cursor[middle] == "A" else "A") + cursor[middle + 1 :]
    other = world.a_key()[1]

    for key, query in (
        (other, f"cursor={cursor}"),
        (plain, f"cursor={cursor}&currency=USD"),
        (plain, f"cursor={altered}"),
        (plain, f"cursor=A{cursor}"),
        (plain, "cursor=%00"),
        (plain, "cursor=nonsense"),
    ):
        reply = api.get(BALANCES, key, query=query)
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR"), query
        assert reply.json["errors"][0]["pointer"] == "/cursor"


def test_the_filters_of_a_cursor_may_come_in_another_order(api, plain):
    query = "limit=1&currency=USD&currency=EUR"
    cursor = api.get(BALANCES, plain, query=query).json["next_cursor"]

    reply = api.get(BALANCES, plain, query=f"currency=EUR&currency=USD&cursor={cursor}")

    assert currencies(reply) == ["EUR"]


def test_a_business_sees_its_own_balances_alone(api, plain):
    move(5, Account.AVAILABLE, Account.EXTERNAL)
    other = world.a_key()[1]

    usd = api.get(BALANCES, other, query="currency=USD").json["data"][0]

    assert usd["available"] == "1000000.00"
