"""Customers: stored as sent, changed field by field, and visible to their business only."""

from typing import Any

from api.payments.models import Customer
from console.audit.models import Entry
from tests.api.asking import EXAMPLES, pointed

CUSTOMERS = "/sandbox/v1/customers"
EXAMPLE = EXAMPLES["customers.create"]


def send(api, plain, body, path=CUSTOMERS, method="POST"):
    return api.post(path, plain, body, REQUEST_METHOD=method)


def test_a_customer_comes_back_as_it_was_sent(api, plain):
    reply = send(api, plain, EXAMPLE)

    assert reply.status == 201, reply.body
    made = reply.json
    assert {name: made[name] for name in EXAMPLE} == EXAMPLE
    assert made["object"] == "customer"
    read = api.get(f"{CUSTOMERS}/{made['id']}", plain).json
    assert read | {"request_id": ""} == made | {"request_id": ""}
    listed = api.get(CUSTOMERS, plain).json["data"]
    assert listed == [{name: value for name, value in made.items() if name != "request_id"}]


def test_what_was_not_given_is_not_there(api, plain):
    made = send(api, plain, {"legal_name": "Acme"}).json

    assert made.keys() - {"id", "created_at", "request_id"} == {
        "object", "customer_type", "legal_name", "metadata",
    }  # fmt: skip


def test_a_change_changes_what_it_names_and_is_told(api, plain):
    path = f"{CUSTOMERS}/{send(api, plain, EXAMPLE).json['id']}"

    reply = send(api, plain, {"phone": "+441632960001"}, path, "PATCH")

    assert reply.status == 200, reply.body
    assert {name: reply.json[name] for name in EXAMPLE} == EXAMPLE | {"phone": "+441632960001"}
    # Sending the same value is not a change.
    send(api, plain, {"phone": "+441632960001"}, path, "PATCH")
    codes = Entry.objects.filter(subject_id=reply.json["id"]).order_by("pk")
    assert [entry.code for entry in codes] == ["customer.created", "customer.changed"]


def test_an_address_has_what_its_country_has(api, plain):
    for parts in ({"country": "SG"}, {"country": "HK"}, {"country": "AE", "state": "Dubai"}):
        address = {"line1": "1 Raffles Place", **parts}
        reply = send(api, plain, EXAMPLE | {"address": address})
        assert (reply.status, reply.json.get("address")) == (201, address), reply.body


def test_a_mistake_is_named(api, plain):
    change: Any
    for change, pointer in [
        ({"customer_type": "robot"}, "/customer_type"),
        ({"email": "nobody"}, "/email"),
        ({"phone": "0801"}, "/phone"),
        ({"country": "NGA"}, "/country"),
        ({"date_of_birth": "1990-02-30"}, "/date_of_birth"),
        ({"address": {"line1": "1 Street"}}, "/address/country"),
        ({"address": {"line1": "1 Street", "country": "GB"}}, "/address/city"),
        ({"address": {"line1": "1 Street", "country": "AE"}}, "/address/city"),
    ]:
        assert pointer in pointed(send(api, plain, EXAMPLE | change))
        assert not Customer.objects.exists()


def test_kosovo_is_a_country(api, plain):
    address = {"line1": "Rr. Agim Ramadani 1", "city": "Prishtina", "country": "XK"}
    reply = send(api, plain, {"legal_name": "Acme", "address": address})
    assert (reply.status, reply.json["address"]["country"]) == (201, "XK"), reply.body
