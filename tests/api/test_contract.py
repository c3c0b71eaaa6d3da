"""The promises of the API's version: compared with the contract of the newest release."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from api.problems import CODES
from api.reference import openapi
from api.v1.router import OPERATIONS
from console.catalogue.definitions import PRODUCTS
from tests.api import contract
from tests.api.asking import Client, a_client
from tests.api.calling import Caller
from tests.apikeys import world
from tests.guards.tree import ROOT

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


RELEASED = re.findall(r"^## \[([\d.]+)\] - \d", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def test_every_promise_is_kept():
    today = contract.promises(json.loads(openapi.document()))
    broken = list(contract.taken_back(contract.promises(contract.read()), today))

    assert broken == [], "This change needs a new version of the API."


def test_the_newest_release_froze_the_baseline():
    assert contract.read()["release"] == (RELEASED[0] if RELEASED else "")


# Changes that would break a promise -----------------------------------------------------------

LIMIT: dict[str, Any] = {"in": "query", "name": "limit", "schema": {"type": "integer"}}
CURRENCY = {"type": "string", "enum": ["NGN", "USD"]}
SCHEMAS = {
    "Body": {
        "type": "object",
        "properties": {"amount": {"type": "string"}},
        "required": ["amount"],
    },
    "Answer": {
        "type": "object",
        "properties": {
            "currency": CURRENCY,
            "failure": {
                "anyOf": [{"type": "object", "properties": {"code": {}}}, {"type": "null"}]
            },
        },
        "required": ["currency"],
        "allOf": [{"properties": {"object": {}}}],
    },
    "Event": {
        "oneOf": [{"$ref": "#/components/schemas/Answer"}],
        "discriminator": {
            "propertyName": "type",
            "mapping": {"payout.paid": "#/components/schemas/Answer"},
        },
    },
}


def holding(name: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


def a_contract() -> dict[str, Any]:
    pay = {
        "operationId": "payouts.create",
        "parameters": [LIMIT],
        "requestBody": holding("Body"),
        "responses": {"200": holding("Answer")},
    }
    sent = {"requestBody": holding("Event"), "responses": {}}
    return copy.deepcopy(
        {
            "paths": {"/payouts": {"post": pay}},
            "webhooks": {"event": {"post": sent}},
            "components": {"schemas": SCHEMAS},
        }
    )


def changed(change: str) -> dict[str, Any]:
    """Return the contract after a statement about its operation `op` or its `schemas`."""
    made = a_contract()
    places = {"op": made["paths"]["/payouts"]["post"], "schemas": made["components"]["schemas"]}
    exec(change, places | {"made": made})
    return made


@pytest.mark.parametrize(
    "change",
    [
        "made['paths'] = {}",
        "made['webhooks'] = {}",
        "schemas['Event']['discriminator']['mapping'] = {}",
        "op['operationId'] = 'payouts.make'",
        "op['parameters'] = []",
        "op['parameters'][0]['required'] = True",
        "op['parameters'][0]['schema']['maximum'] = 9",
        "op['parameters'].append({'in': 'query', 'name': 'to', 'required': True, 'schema': {}})",
        "op['requestBody']['required'] = True",
        "op['responses'] = {'201': op['responses']['200']}",
        "schemas['Body']['properties']['to'] = {}; schemas['Body']['required'] += ['to']",
        "schemas['Body']['properties'] = {}",
        "schemas['Body']['properties']['amount']['pattern'] = '[0-9]+'",
        "schemas['Body']['properties']['amount']['type'] = 'number'",
        "schemas['Answer']['required'] = []",
        "schemas['Answer']['properties'] = {}",
        "schemas['Answer']['properties']['currency']['enum'] += ['EUR']",
        "schemas['Answer']['properties']['currency']['type'] = ['string', 'null']",
        "schemas['Answer']['allOf'][0]['properties'] = {}",
        "schemas['Answer']['allOf'] = []",
        "schemas['Answer']['properties']['failure']['anyOf'] += [{'type': 'string'}]",
    ],
)
def test_what_needs_a_new_version_is_found(change):
    before, after = (contract.promises(one) for one in (a_contract(), changed(change)))
    assert list(contract.taken_back(before, after))


@pytest.mark.parametrize(
    "change",
    [
        "made['paths']['/refunds'] = made['paths']['/payouts']",
        "schemas['Event']['discriminator']['mapping']['payout.failed'] = "
        "'#/components/schemas/Body'",
        "op['parameters'].append({'in': 'query', 'name': 'to', 'schema': {}})",
        "op['summary'] = 'Other words'",
        "schemas['Body']['properties']['currency'] = {}",
        "schemas['Body']['required'] = []",
        "del schemas['Body']['required']",
        "schemas['Answer']['properties']['to'] = {}; schemas['Answer']['required'] += ['to']",
        "schemas['Answer']['allOf'][0]['properties']['to'] = {}",
        "schemas['Answer']['properties']['failure']['anyOf'][0]['properties']['to'] = {}",
        "schemas['Paid'] = schemas['Answer']; op['responses']['200'] = "
        "{'content': {'application/json': {'schema': {'$ref': '#/components/schemas/Paid'}}}}",
    ],
)
def test_what_a_version_may_gain_is_not(change):
    before, after = (contract.promises(one) for one in (a_contract(), changed(change)))
    assert list(contract.taken_back(before, after)) == []


def test_a_release_freezes_the_baseline(monkeypatch, tmp_path):
    monkeypatch.setattr(contract, "BASELINE", tmp_path / "baseline.jsonl")
    assert contract.read()["release"] == ""
    broken = changed("op['parameters'] = []")
    contract.write(a_contract(), "1.0.0")
    frozen = contract.BASELINE.read_text()

    with pytest.raises(SystemExit, match="POST /payouts/parameters/query limit is gone"):
        contract.write(broken, "1.1.0")
    assert contract.BASELINE.read_text() == frozen

    contract.write(changed("made['paths']['/refunds'] = made['paths']['/payouts']"), "1.1.0")
    assert contract.read()["paths"].keys() == {"/payouts", "/refunds"}
    assert contract.read()["release"] == "1.1.0"


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
