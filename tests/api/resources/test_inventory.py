"""Inventory: stock is stored as sent, and never reserved twice."""

import pytest
from django.db import IntegrityError

from api.payments.models import InventoryItem
from console.audit.models import Entry
from tests.api.asking import EXAMPLES, ROWS
from tests.waiting import at_once

PATH = "/inventory"
EXAMPLE = EXAMPLES["inventory.create"]
CREATE, CHANGE = ROWS["POST", PATH], ROWS["PATCH", f"{PATH}/{{id}}"]
RESERVE = ROWS["POST", f"{PATH}/{{id}}/reserve"]


@pytest.fixture
def item(client):
    return client.ask(CREATE, PATH, EXAMPLE).json


def change(client, item, **changes):
    return client.ask(CHANGE, f"{PATH}/{item['id']}", changes)


def reserve(client, item, quantity):
    return client.ask(RESERVE, f"{PATH}/{item['id']}/reserve", {"quantity": quantity})


def stock(item):
    kept = InventoryItem.objects.get(public_id=item["id"])
    return kept.available, kept.reserved


def test_an_item_comes_back_as_it_was_sent(client, item):
    assert {name: item[name] for name in EXAMPLE} == EXAMPLE
    assert (item["object"], item["reserved"]) == ("inventory_item", 0)
    read = client.api.get(f"/sandbox/v1{PATH}/{item['id']}", client.plain).json
    assert read | {"request_id": ""} == item | {"request_id": ""}
    (listed,) = client.api.get(f"/sandbox/v1{PATH}", client.plain).json["data"]
    assert listed == {name: value for name, value in item.items() if name != "request_id"}


def test_an_item_needs_no_more_than_a_name(client):
    made = client.ask(CREATE, PATH, {"name": "Cup"}).json

    assert (made["sku"], made["available"], made["reserved"]) == (None, 0, 0)


def test_a_change_changes_what_it_names_and_is_told(client, item):
    reply = change(client, item, available=7, reserved=2)

    assert (reply.json["available"], reply.json["reserved"]) == (7, 2)
    assert reply.json["name"] == EXAMPLE["name"]
    # Sending the same value is not a change.
    change(client, item, available=7)
    codes = Entry.objects.filter(subject_id=item["id"]).order_by("pk")
    assert [one.code for one in codes] == ["inventory_item.created", "inventory_item.changed"]


def test_what_is_reserved_is_no_longer_available(client, item):
    reply = reserve(client, item, 40)

    assert reply.status == 200, reply.body
    assert (reply.json["available"], reply.json["reserved"]) == (0, 40)


def test_more_than_there_is_is_refused_and_nothing_is_reserved(client, item):
    reply = reserve(client, item, 41)

    assert (reply.status, reply.code) == (409, "STOCK_CONFLICT")
    assert stock(item) == (40, 0)
    assert not Entry.objects.filter(code="inventory_item.reserved").exists()


def test_nothing_is_reserved_twice_however_many_ask_at_once(client, item):
    def ask(_):
        return [reserve(client, item, 5).status for _ in range(3)]

    said = [status for one in at_once(8, ask) for status in one]

    # Forty in stock, five per reservation: eight succeed, the others do not.
    assert sorted(said) == [200] * 8 + [409] * 16
    assert stock(item) == (0, 40)


def test_the_database_keeps_stock_from_being_negative(item):
    with pytest.raises(IntegrityError, match="stock_is_never_negative"):
        InventoryItem.objects.update(available=-1)
