"""Every list has its filters: one way, by what its rows say, and nothing unknown is taken."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from api.operations import Operation
from api.request_log_writer import WRITER
from api.v1.router import OPERATIONS
from console.core import clock
from tests.api.asking import ROWS, Client, a_client, faults

PAGE = {"cursor", "limit"}
TIMES = {"created_since", "created_until"}
# Filters that are no field of a row, with the tests of their own.
OTHERS = {"since", "until", "type", "event", "resource", "undelivered_to"} | TIMES | PAGE
LISTS = [one for one in OPERATIONS if one.query().fields.keys() >= PAGE]
# The rows of a test have none.
UNSET = {"reference", "external_customer_id", "email", "customer_id", "quote_id", "label", "sku"}


def filters(one: Operation) -> dict[str, Any]:
    return {str(n): f for n, f in one.query().fields.items() if n not in OTHERS}


def made(client: Client, one: Operation) -> str:
    """Return the path of a list that has rows."""
    if one.path == "/card-transactions":
        client.do("cards.pay", client.id_in("/cards"))
    if one.path == "/transactions":
        client.id_in("/payouts")
    if ("POST", one.path) in ROWS:
        client.id_in(one.path)
    if one.path == "/usage":
        client.read("/me")
        WRITER.flush()
    if one.name == "webhook_endpoints.deliveries":
        own = client.id_in("/webhook-endpoints")
        client.do("webhook_endpoints.ping", own)
        return one.path.replace("{id}", own)
    return one.path


def get(client, path, query):
    return client.api.get(f"{client.root}{path}", client.plain, query)


def refused(client, path, **query):
    return faults(get(client, path, urlencode(query)))


@pytest.mark.parametrize("one", LISTS, ids=lambda one: one.name)
def test_rows_are_found_by_what_they_say(unlimited, api, one):
    client = Client(api, a_client())
    path = made(client, one)
    rows = client.read(path)["data"]
    for name, field in filters(one).items():
        said = next((row[name] for row in rows if row.get(name)), None)
        assert said or name in UNSET, name
        if said:
            same = client.read(path, urlencode({name: said}))["data"]
            assert same
            assert {row[name] for row in same} == {said}, name
        choices = getattr(getattr(field, "child", None), "choices", ())
        for other in [one for one in choices if one != said][:2]:
            assert all(row[name] == other for row in client.read(path, f"{name}={other}")["data"])
        if choices:
            assert refused(client, path, **{name: "nothing"})[0][1] == "unknown_value"
        elif not name.endswith("_id") or name == "external_customer_id":
            assert client.read(path, f"{name}=nothing")["data"] == []
        else:
            assert refused(client, path, **{name: "nothing"}) == [(f"/{name}", "not_found")]
    assert refused(client, path, nothing="x") == [("/nothing", "unknown_parameter")]


@pytest.mark.parametrize("one", LISTS, ids=lambda one: one.name)
def test_rows_are_found_by_when_they_were_created(unlimited, api, one):
    client = Client(api, a_client())
    path = made(client, one)
    rows = client.read(path)["data"]
    if not one.query().fields.keys() >= TIMES:
        assert one.name == "balances.list"
        return
    at = datetime.fromisoformat(rows[0].get("created_at") or clock.now().isoformat())
    day = timedelta(days=1)

    def found(**query):
        times = {name: moment.isoformat() for name, moment in query.items()}
        return client.read(path, urlencode(times))["data"]

    assert found(created_since=at - day, created_until=at + day)[0] == rows[0]
    assert found(created_since=at + day) == []
    assert found(created_until=at - day) == []
    assert refused(client, path, created_since="yesterday") == [("/created_since", "wrong_shape")]


def test_an_id_of_the_other_environment_or_of_another_business_is_refused(unlimited, api):
    client, other = Client(api, a_client()), Client(api, a_client())
    client.id_in("/cards")
    theirs = other.id_in("/cardholders")

    assert refused(client, "/cards", cardholder_id=theirs) == [("/cardholder_id", "not_found")]


def test_a_cursor_is_of_its_filters_and_says_so(unlimited, api):
    client = Client(api, a_client())
    for _ in range(3):
        client.id_in("/payouts")
    page = client.read("/payouts", "limit=1&status=completed")
    cursor = page["next_cursor"]

    assert client.read("/payouts", f"limit=2&status=completed&cursor={cursor}")["data"]
    for query in (f"cursor={cursor}", f"status=completed&currency=USD&cursor={cursor}"):
        reply = get(client, "/payouts", query)
        (fault,) = reply.json["errors"]
        assert (reply.status, fault["code"]) == (400, "unknown_cursor")
        assert "other filters" in fault["detail"]
    (fault,) = get(client, "/payouts", "cursor=nonsense").json["errors"]
    assert "other filters" not in fault["detail"]


def test_corridors_are_found_by_country_and_currency(unlimited, api):
    client = Client(api, a_client())
    path = "/transfers/corridors"
    every = client.read(path)["data"]
    ghana = client.read(path, "destination_country=GH")["data"]

    assert ghana == [row for row in every if row["destination_country"] == "GH"] != []
    two = client.read(path, "destination_country=GH&destination_country=KE&source_currency=USD")
    assert {(row["destination_country"], row["source_currency"]) for row in two["data"]} == {
        ("GH", "USD"), ("KE", "USD"),
    }  # fmt: skip
    assert client.read(path, "destination_country=KP")["data"] == []
    assert refused(client, path, destination_country="XX")[0][1] == "unknown_value"
