"""The promises of the versioned API: frozen in an append-only file."""

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from api.problems import CODES
from api.serializers import (
    IdField,
    ObjectField,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
    StatusField,
)
from api.v1.router import OPERATIONS
from console.catalogue.definitions import PRODUCTS
from tests.api import contract
from tests.api.asking import Client, a_client
from tests.api.calling import Caller
from tests.apikeys import world

SPECIFIED = """
UNAUTHENTICATED
INVALID_CREDENTIALS
CREDENTIAL_EXPIRED
IP_NOT_ALLOWED
SIGNATURE_INVALID
REPLAY_DETECTED
FORBIDDEN_SCOPE
PRODUCT_NOT_ENABLED
ENVIRONMENT_MISMATCH
RATE_LIMITED
IDEMPOTENCY_KEY_REQUIRED
IDEMPOTENCY_KEY_REUSED
IDEMPOTENT_REQUEST_IN_PROGRESS
VALIDATION_ERROR
NOT_FOUND
INSUFFICIENT_BALANCE
QUOTE_EXPIRED
COMPLIANCE_BLOCKED
NO_PROVIDER_ENABLED
PROVIDER_UNAVAILABLE
INTERNAL_ERROR
STOCK_CONFLICT
"""


# Formatting on pages is not part of the promise: an amount is text, a status is one of its values.
PROMISED_AS: dict[type, type] = {
    IdField: serializers.CharField,
    ObjectField: serializers.ChoiceField,
    SentAmountField: serializers.CharField,
    SentCurrencyField: serializers.ChoiceField,
    SentMetadataField: serializers.DictField,
    StatusField: serializers.ChoiceField,
}


def fields_of(described: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    """Return every field with its type, as in the file; a trailing `?` means nullable."""
    if isinstance(described, serializers.ListSerializer):
        assert described.child is not None
        return {"[]": _kind(described.child)}
    assert isinstance(described, serializers.Serializer)
    return {name: _kind(field) for name, field in described.fields.items()}


def _kind(field: Any) -> Any:
    if isinstance(field, serializers.BaseSerializer):
        return fields_of(field)
    promised = (PROMISED_AS[kind] for kind in PROMISED_AS if isinstance(field, kind))
    kind: type = next(promised, type(field))
    return kind.__name__.removesuffix("Field") + ("?" if field.allow_null else "")


def taken_by(described: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    """Return every field that may be sent."""
    assert isinstance(described, serializers.Serializer)
    fields = described.fields.items()
    return {n: {"takes": _taken(field), "required": field.required} for n, field in fields}


def _taken(field: Any) -> Any:
    return taken_by(field) if isinstance(field, serializers.Serializer) else _kind(field)


def described() -> dict[str, Any]:
    """Return every operation as its table describes it today."""
    return {
        f"{row.method} {row.path}": {
            "scope": row.scope,
            "product": row.product,
            "financial": row.financial,
            "status": row.status,
            "query": taken_by(row.query()),
            "body": taken_by(row.body()) if row.body else None,
            "answer": fields_of(row.answer()),
        }
        for row in OPERATIONS
    }


def test_every_promise_is_kept():
    today = described()
    broken = [
        f"{name}: {path}"
        for name, promise in contract.promised(contract.lines()).items()
        for path in contract.taken_back(promise, today.get(name, {}))
    ]

    assert broken == []


def test_every_operation_is_promised_as_it_is():
    read = contract.lines()
    known = contract.promised(read)
    new = {name: made for name, made in described().items() if known.get(name) != made}
    missing = [contract.line(name, made, read[-1]) for name, made in new.items()]

    assert missing == [], f"Append to {contract.NAME}, one at a time:\n{missing[0]}"


def test_the_promises_were_only_ever_added_to():
    read = contract.lines()

    history = contract.committed()
    assert list(contract.faults(read)) == []
    assert contract.rewritten(read, history) == []
    assert bool(history) == contract.has_history()


# Changes that would break a promise -----------------------------------------------------------

ME: dict[str, Any] = {
    "scope": "balances:read",
    "answer": {"name": "Char", "limits": {"[]": {"quota": "Integer"}}},
}


@pytest.mark.parametrize(
    ("later", "path"),
    [
        ({"answer": ME["answer"]}, "/scope"),
        (ME | {"scope": "cards:read"}, "/scope"),
        (ME | {"answer": {"name": "Char"}}, "/answer/limits"),
        (ME | {"answer": ME["answer"] | {"name": "Char?"}}, "/answer/name"),
        (ME | {"answer": ME["answer"] | {"limits": {"[]": {}}}}, "/answer/limits/[]/quota"),
        ({}, "/scope"),
    ],
)
def test_what_is_taken_back_is_named(later, path):
    assert next(contract.taken_back(ME, later)) == path
    assert not list(contract.taken_back(ME, ME | {"answer": ME["answer"] | {"more": "Char"}}))


def two_promises() -> list[str]:
    first = contract.line("GET /me", ME, "")
    return [first, contract.line("GET /rates", ME, first)]


def test_a_line_that_is_altered_or_removed_breaks_the_chain():
    first, second = two_promises()
    assert list(contract.faults([first, second])) == []
    assert list(contract.faults([first.replace("Integer", "Char"), second]))
    assert list(contract.faults([second]))
    smaller = contract.line("GET /me", ME | {"answer": {}}, second)
    assert sorted(contract.faults([first, second, smaller])) == [
        "Line 3 takes back GET /me: /answer/limits",
        "Line 3 takes back GET /me: /answer/name",
    ]


def test_a_chain_that_is_made_anew_is_found_in_the_commit_that_makes_it():
    grown = [*two_promises(), contract.line("GET /fees", ME, two_promises()[-1])]
    history = {"first": two_promises(), "second": grown}
    assert contract.rewritten(grown, history) == []

    anew = [contract.line("GET /me", ME | {"scope": "cards:read"}, "")]
    assert list(contract.faults(anew)) == []
    assert contract.rewritten(anew, history) == ["first", "second"]
    assert contract.rewritten(grown[:1], history) == ["first", "second"]


def test_every_operation_belongs_to_the_product_of_its_scope_and_no_scope_is_without_one():
    assert [row.name for row in OPERATIONS if row.scope not in PRODUCTS[row.product].scopes] == []
    scopes = {scope for product in PRODUCTS.values() for scope in product.scopes}
    assert {row.scope for row in OPERATIONS} == scopes


def test_every_operation_is_closed_without_its_scope(unlimited):
    grant = world.a_grant(products=tuple(PRODUCTS))
    keys = {
        scope: world.a_key(grant, scopes=(scope,))[1] for scope in ("webhooks:write", "cards:read")
    }
    for row in OPERATIONS:
        plain = keys["webhooks:write" if row.scope == "cards:read" else "cards:read"]
        assert Caller().call(row.method, f"/sandbox/v1{row.path}").status == 401, row.name
        reply = Caller().call(row.method, f"/sandbox/v1{row.path}", plain)
        assert reply.code == "FORBIDDEN_SCOPE", row.name


def test_every_answer_has_exactly_the_fields_that_are_described(unlimited):
    for row in OPERATIONS:
        client = Client(Caller(), a_client())
        reply = client.ask(row, client.path_of(row))
        assert reply.status == row.status, row.name
        assert list(wrong_members(row.answer(), reply.json)) == [], row.name


def wrong_members(described: Any, body: Any, path: str = "") -> Iterator[str]:
    """Yield fields that are documented but missing, or present but not documented."""
    if isinstance(described, serializers.ListSerializer):
        for number, one in enumerate(body):
            yield from wrong_members(described.child, one, f"{path}/{number}")
    elif isinstance(described, serializers.Serializer) and body is not None:
        fields = described.fields
        wanted = {name for name, field in fields.items() if field.required or name in body}
        yield from (f"{path}/{name}" for name in wanted ^ body.keys())
        for name in wanted & body.keys():
            yield from wrong_members(fields[name], body[name], f"{path}/{name}")


def test_the_codes_are_those_of_the_specification():
    assert sorted(CODES) == sorted(SPECIFIED.split())
