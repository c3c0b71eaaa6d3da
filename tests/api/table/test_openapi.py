"""The published OpenAPI contract: valid, complete, and matching the API in both directions."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, settings
from hypothesis import given as over

from api.reference import openapi
from api.v1.router import OPERATIONS
from apikeys.webhooks.deliveries import PING
from console.events import public_kinds
from tests.api.asking import Client, a_client
from tests.api.calling import Caller
from tests.proofs import Proven, proof

# Every worker imports this file, and one runs it: the contract and what reads contracts take
# seconds to load, so they are loaded inside the functions.


@cache
def contract() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(openapi.document())
    return found


@cache
def calls() -> Any:
    import schemathesis

    return schemathesis.openapi.from_dict(contract())


def resolved(node: Any) -> Any:
    """Return part of an operation with what its references to components name, but for schemas."""
    if isinstance(node, list):
        return [resolved(one) for one in node]
    if not isinstance(node, dict):
        return node
    if node.get("$ref", "#/components/schemas/").startswith("#/components/schemas/"):
        return {name: resolved(inner) for name, inner in node.items()}
    _, _, kind, name = node["$ref"].split("/")
    return resolved(contract()["components"][kind][name])


@cache
def operation(row) -> dict[str, Any]:
    found: dict[str, Any] = resolved(contract()["paths"][row.path][row.method.lower()])
    return found


def test_it_is_public_and_what_the_table_makes(client):
    reply = client.get(reverse("api:openapi"))

    assert reply.headers["Content-Type"] == "application/json"
    assert reply.json() == contract()
    assert contract()["openapi"] == "3.1.0"


def test_it_is_valid():
    from openapi_spec_validator import OpenAPIV31SpecValidator

    OpenAPIV31SpecValidator(contract()).validate()


def test_it_says_how_every_public_kind_is_sent():
    content = contract()["webhooks"]["event"]["post"]["requestBody"]["content"]["application/json"]
    (schema, known), shown = union_of(content["schema"]), content["examples"]
    assert set(shown) == public_kinds.names() == known.keys() - {PING}
    for kind, example in shown.items():
        body = example["value"]
        assert body["type"] == kind
        assert validator_of(schema).is_valid(body), kind
        is_valid = validator_of({"$ref": known[kind]}).is_valid
        for name, value in {"type": "other.kind", "sequence": 0, "data": {}}.items():
            assert not is_valid(body | {name: value}), (kind, name)
        assert not is_valid({name: body[name] for name in body.keys() - {"sequence"}})


def test_a_listed_event_is_described_as_a_sent_one():
    answer = contract()["paths"]["/events/{id}"]["get"]["responses"]["200"]
    read = answer["content"]["application/json"]["schema"]["$ref"]
    listed = contract()["components"]["schemas"]["EventList"]["properties"]["data"]["items"]
    assert {"$ref": read} == listed == {"$ref": "#/components/schemas/Event"}

    read_event = next(row for row in OPERATIONS if row.name == "events.read")
    event = dict(read_event.example.answer) | {"type": PING, "data": {"id": "whe_1"}}
    del event["sequence"]
    assert not validator_of(listed).is_valid(event)
    event["data"]["object"] = "webhook_endpoint"
    assert validator_of(listed).is_valid(event)


def union_of(schema: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a schema that is a union by `type`, and the reference of each type."""
    union = contract()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    known = union["discriminator"]["mapping"]
    assert union["discriminator"]["propertyName"] == "type"
    assert [{"$ref": one} for one in known.values()] == union["oneOf"]
    return union, known


def test_it_is_made_without_a_complaint(capsys):
    """The generator warns of two serializers with one name, for example."""
    openapi.document.__wrapped__()
    assert capsys.readouterr().err == ""


def test_it_has_the_rows_of_the_table_and_no_others():
    published = {
        (method.upper(), address)
        for address, methods in contract()["paths"].items()
        for method in methods
    }
    assert published == {(row.method, row.path) for row in OPERATIONS}


def test_every_operation_publishes_what_its_row_declares():
    for row in OPERATIONS:
        said = operation(row)
        assert (said["operationId"], said["x-scope"]) == (row.name, row.scope)
        assert said["x-financial"] == row.financial, row.name
        assert said["x-sandbox-only"] == row.path.startswith("/test-helpers/"), row.name
        keys = [p for p in said["parameters"] if p["name"] == "Idempotency-Key"]
        assert [key.get("required", False) for key in keys] == (
            [] if row.method == "GET" else [row.financial]
        ), row.name
        shown = [(at, example, example.get("meta") or example) for at, example in refusals(row)]
        assert {coded["code"] for _, _, coded in shown} == row.every_code, row.name
        assert all(example.get("status", at) == at for at, example, _ in shown), row.name
        sent = said.get("requestBody", {"content": {"application/json": {"examples": {}}}})
        examples = sent["content"]["application/json"]["examples"].values()
        assert [one["value"] for one in examples] == [row.example.body] * bool(row.body), row.name


def refusals(row) -> list[tuple[int, dict[str, Any]]]:
    """Return every error that the contract shows for a row, with its status."""
    return [
        (int(status), example["value"])
        for status, answer in operation(row)["responses"].items()
        if int(status) >= 400
        for example in answer["content"][row.renderer.refusal_type].get("examples", {}).values()
    ]


def test_every_example_fits_its_schema():
    wrong = []
    for row in OPERATIONS:
        answers = operation(row)["responses"].items()
        # A 204 has no body and thus no schema.
        shapes = {int(status): answer.get("content", {}) for status, answer in answers}
        assert [at for at, shape in shapes.items() if not shape] == [204] * (row.status == 204)
        shown = [*refusals(row), (row.status, dict(row.example.answer))]
        assert len(shown) > 16
        wrong += [
            (row.name, example)
            for at, example in shown
            for content in shapes[at].values()
            if not validator_of(content["schema"]).is_valid(example)
        ]
    assert wrong == []


def validator_of(schema: dict[str, Any]) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema | {"components": contract()["components"]})


@proof(
    "R3",
    "calls made from the contract, and against it",
    small=3,
    full=2_000,
    asked="0 of them 5xx, 0 undescribed, 0 accepted against the contract",
)
# `test_a_body_is_refused_exactly_where_the_contract_says_so` makes the usual mistakes.
@pytest.mark.check
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_the_contract_is_true(row, mode, proven: Proven):
    from schemathesis import GenerationMode

    wrong: list[object] = []
    sent = 0
    api, plain = Caller(), a_client()
    valid = calls()[row.path][row.method]

    @over(case=valid.as_strategy(generation_mode=GenerationMode(mode)))
    @settings(
        max_examples=proven.size,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def send(case):
        nonlocal sent
        sent += 1
        reply = asked(api, plain, row, case)
        if fault := fault_of(row, case, reply):
            wrong.append((fault, case.query, case.body, reply.body))

    send()
    figure = f"{sent:,} calls, {len(wrong)} answered otherwise than the contract says"
    proven.reached(figure, met=not wrong and sent > 0, wrong=wrong[:3])


def spoilt(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield valid bodies with one mistake: an extra field, a wrong type, or a missing field."""
    yield body | {"more": 1}
    for name, value in body.items():
        yield {n: v for n, v in body.items() if n != name}
        yield body | {name: None}
        yield body | {name: [value]}
        if isinstance(value, dict):
            yield from (body | {name: inner} for inner in spoilt(value))


@pytest.mark.parametrize("row", [row for row in OPERATIONS if row.body], ids=lambda r: r.name)
def test_a_body_is_refused_exactly_where_the_contract_says_so(row):
    """A mistake in an otherwise valid body that random generation rarely makes."""
    api, plain = Caller(), a_client()
    client = Client(api, plain)
    good, path = client.body_of(row), f"/sandbox/v1{client.path_of(row)}"
    more = {"CONTENT_TYPE": "application/json"}
    differ = []
    for number, body in enumerate([good, *spoilt(good)]):
        more["HTTP_IDEMPOTENCY_KEY"] = f"contract-{number:04}"
        reply = api.call(row.method, path, plain, body=json.dumps(body).encode(), **more)
        if not is_allowed(row, body) and reply.status != 422:
            differ.append((body, reply.body))
        if number == 0:
            assert reply.status == row.status

    # One extra field, and three mistakes for each existing field.
    assert number >= 1 + 3 * len(good)
    assert differ == []


def asked(api, plain, row, case):
    """Send a schemathesis case like a client would."""
    names = case.path_parameters or {}
    path = row.path
    for name, value in names.items():
        path = path.replace(f"{{{name}}}", str(value))
    query = urlencode(case.query or {}, doseq=True)
    given = {f"HTTP_{n.upper().replace('-', '_')}": v for n, v in (case.headers or {}).items()}
    headers = {name: str(value) for name, value in given.items() if name != "HTTP_AUTHORIZATION"}
    body = b""
    if row.body:
        body = json.dumps(case.body, default=str).encode()
        headers["CONTENT_TYPE"] = "application/json"
    return api.call(row.method, f"/sandbox/v1{path}", plain, query, body, **headers)


def fault_of(row, case, reply) -> str:
    """Return what is wrong with a response, or ""."""
    described = operation(row)["responses"].get(str(reply.status))
    if reply.status >= 500 and reply.code != "PROVIDER_UNAVAILABLE":
        return "our fault"
    if row.body and reply.status < 300 and not is_allowed(row, case.body):
        return "accepted against the contract"
    if described is None:
        return f"{reply.status} is not described"
    kind = reply.headers["Content-Type"]
    shape = validator_of(described["content"][kind]["schema"])
    if errors := [error.message for error in shape.iter_errors(reply.json)]:
        return f"not as described: {errors[0]}"
    return ""


def is_allowed(row, body) -> bool:
    shape = operation(row)["requestBody"]["content"]["application/json"]["schema"]
    return validator_of(shape).is_valid(body)
