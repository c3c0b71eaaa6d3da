"""Values that clients send without meaning to: nothing, empty texts and enormous numbers."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from api.v1.router import OPERATIONS
from tests.api.asking import a_client, pointed
from tests.api.calling import Caller, Reply
from tests.api.table.test_openapi import operation, validator_of

NOWHERE = "svo_01k0000000000000000000000"
WITH_BODY = [row for row in OPERATIONS if row.body]
JSON = {"CONTENT_TYPE": "application/json"}
# JSON texts of numbers that are too large for any field, and for a 64-bit integer or float.
HUGE = ["18446744073709551616", "-9223372036854775809", "1e400", "9" * 10_000, f"-{10**60}"]


@pytest.fixture
def plain(unlimited: None) -> str:
    return a_client()


def called(api: Caller, row: Any, plain: str, query: str = "", body: bytes = b"", **more) -> Reply:
    """Call an operation on an object that is not there: its input is checked before."""
    path = row.path.replace("{id}", NOWHERE).replace("{payment_id}", NOWHERE)
    key = {"HTTP_IDEMPOTENCY_KEY": "a-key-of-its-own"} if row.financial else {}
    return api.call(row.method, f"/sandbox/v1{path}", plain, query, body, **key | more)


def parameters(row: Any, place: str) -> list[dict[str, Any]]:
    return [one for one in operation(row)["parameters"] if one["in"] == place]


def takes_empty(parameter: dict[str, Any]) -> bool:
    """Tell whether the contract allows an empty text, as one of several if it may be repeated."""
    schema = parameter["schema"]
    return validator_of(schema.get("items", schema)).is_valid("")


def test_an_empty_parameter_is_refused_exactly_where_the_contract_refuses_it(api, plain):
    differ, tried = [], 0
    for row in OPERATIONS:
        for one in parameters(row, "query"):
            tried += 1
            reply = called(api, row, plain, f"{one['name']}=")
            faults = reply.json.get("errors", [])
            refused = any(fault["pointer"].startswith(f"/{one['name']}") for fault in faults)
            if refused == takes_empty(one):
                differ.append((row.name, one["name"], reply.status, reply.body))

    assert tried > 60
    assert not differ, differ


@pytest.mark.parametrize("path", ["/balances", "/events", "/rates"])
def test_an_empty_optional_header_or_cursor_is_as_if_it_were_not_sent(api, plain, path):
    empty = {"HTTP_SERVICE_VERSION": "", "HTTP_SERVICE_SIGNATURE": " "}
    query = "" if path == "/rates" else "cursor="
    without = api.get(f"/sandbox/v1{path}", plain)
    reply = api.get(f"/sandbox/v1{path}", plain, query, **empty)

    assert reply.status == 200, reply.body
    assert reply.json["data"] == without.json["data"]
    assert reply.headers["Service-Version"] == without.headers["Service-Version"]


def test_an_empty_idempotency_key_is_refused_and_never_ignored(api, plain):
    for row in OPERATIONS:
        for one in parameters(row, "header"):
            if one["name"] == "Idempotency-Key":
                reply = called(api, row, plain, HTTP_IDEMPOTENCY_KEY="")
                assert (reply.status, takes_empty(one)) == (400, False), row.name


def test_no_body_is_an_empty_object(api, plain):
    """Each required field is named, as in an empty object."""
    for row in WITH_BODY:
        nothing, empty = called(api, row, plain), called(api, row, plain, body=b"{}", **JSON)
        assert nothing.status in (200, 404, 422), (row.name, nothing.body)
        assert (nothing.status, nothing.code) == (empty.status, empty.code), row.name
        if nothing.status == 422 and nothing.code == "VALIDATION_ERROR":
            assert pointed(nothing) == pointed(empty), row.name


def fields(shape: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each field of a body, and of each field in it."""
    if isinstance(shape, serializers.ListSerializer):
        yield from fields(shape.child, (*path, "0"))
    elif isinstance(shape, serializers.Serializer):
        for name, field in shape.fields.items():
            yield (*path, name)
            yield from fields(field, (*path, name))
    elif isinstance(shape, serializers.ListField | serializers.DictField):
        yield (*path, "0")


def holding(path: tuple[str, ...], value: str) -> str:
    """Return the JSON text of an object with a value at a path."""
    for name in reversed(path):
        value = f"[{value}]" if name == "0" else f"{{{json.dumps(name)}: {value}}}"
    return value


def test_an_enormous_number_is_refused_at_its_field(api, plain):
    wrong, sent = [], 0
    for row in WITH_BODY:
        assert row.body
        for path in fields(row.body()):
            value = HUGE[sent % len(HUGE)]
            sent += 1
            reply = called(api, row, plain, body=holding(path, value).encode(), **JSON)
            pointer = "/" + "/".join(path)
            if reply.status != 422 or not any(pointer.startswith(p) for p in pointed(reply)):
                wrong.append((row.name, pointer, reply.status, reply.body))

    assert sent > 150
    assert not wrong, wrong


@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize(
    ("path", "field", "code"),
    [
        ("/inventory", "available", "out_of_range"),
        ("/orders", "amount", "out_of_range"),
        ("/customers", "metadata/a", "wrong_type"),
        ("/customers", "unknown", "unknown_member"),
    ],
)
def test_it_is_named_there_with_its_code(api, plain, value, path, field, code):
    body = holding(tuple(field.split("/")), value).encode()
    reply = api.call("POST", f"/sandbox/v1{path}", plain, body=body, **JSON)

    said = reply.json.get("meta", reply.json)["errors"]
    code = "wrong_type" if (field, value) == ("available", "1e400") else code
    assert reply.status == 422
    assert (f"/{field}", code) in [(one["pointer"], one["code"]) for one in said]


@pytest.mark.parametrize("value", ["99999999999999999999", "1e400", "-1", "9" * 5000])
def test_an_enormous_number_in_a_query_is_refused_at_its_parameter(api, plain, value):
    reply = api.get("/sandbox/v1/balances", plain, f"limit={value}")

    assert pointed(reply) == ["/limit"]
