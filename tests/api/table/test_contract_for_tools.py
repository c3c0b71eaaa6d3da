"""Requirements of generators, linters and download tools on the contract."""

import ast
import gzip
import json
import subprocess
from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from api import problem_reasons, validation
from api.problem_reasons import FAULT_CODES, REASONS
from api.problems import CODES
from api.reference import openapi
from api.v1.router import OPERATIONS
from console.core.money import CURRENCIES
from console.core.refusals import Refused
from tests.api.table.test_openapi import contract, operation
from tests.api.table.test_samples import NODE
from tests.guards.tree import ROOT

COMPILE = """
for (const pattern of JSON.parse(process.argv[1])) {
  try { new RegExp(pattern, "u"); } catch (error) { console.log(error.message); }
}
"""


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the contract."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            yield from nodes(inner)


def said_of(*kinds: str) -> list[dict[str, Any]]:
    """Return every operation or event of these sections of the contract."""
    return [one for kind in kinds for path in contract()[kind].values() for one in path.values()]


def test_every_pattern_is_a_regular_expression_of_javascript():
    patterns = [one["pattern"] for one in nodes(contract()) if isinstance(one.get("pattern"), str)]
    words = [str(NODE), "-e", COMPILE, json.dumps(patterns)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert len(patterns) > 30
    assert done.stdout == ""


def test_no_type_is_null_alone():
    alone = [one for one in nodes(contract()["components"]["schemas"]) if one.get("type") == "null"]
    choices = [
        choice
        for one in nodes(contract()["components"]["schemas"])
        for choice in (*one.get("oneOf", ()), *one.get("anyOf", ()))
    ]
    # As one of several types it makes the other nullable, which generators support.
    assert len(choices) > len(alone) == choices.count({"type": "null"})


def test_only_texts_are_enumerated():
    """Clients of some generators compare a listed boolean or number with its text."""
    listed = [one for one in nodes(contract()) if isinstance(one.get("enum"), list)]

    assert len(listed) > 100
    assert [
        one for one in listed if not all(type(v) in (str, type(None)) for v in one["enum"])
    ] == []
    constants = [one["const"] for one in nodes(contract()) if "const" in one]
    assert {type(one) for one in constants if not isinstance(one, dict)} == {str}


def test_one_object_has_one_schema():
    """A payout that is created, listed or sent as an event has one class in generated clients."""
    schemas = contract()["components"]["schemas"]
    data = dict(data_of_events())
    for row in OPERATIONS:
        answer = contract()["paths"][row.path][row.method.lower()]["responses"][str(row.status)]
        for content in answer.get("content", {}).values():
            name = content["schema"]["$ref"].rpartition("/")[2]
            said = schemas[name]
            assert "request_id" not in said.get("required", ()) or name.endswith("List"), name
    payouts = schemas["PayoutList"]["properties"]["data"]["items"]
    created = contract()["paths"]["/payouts"]["post"]["responses"]["201"]["content"]
    assert created["application/json"]["schema"]["$ref"] == payouts["$ref"]
    assert data["payout.completed"] == data["payout.failed"] == payouts["$ref"]
    shapes: dict[str, str] = {}
    for name, schema in schemas.items():
        fields = schema.get("properties", {})
        if {"id", "object"} <= fields.keys():
            assert shapes.setdefault(json.dumps(fields, sort_keys=True), name) == name


def data_of_events() -> Iterator[tuple[str, str]]:
    """Yield each type of event with the reference of its data."""
    schemas = contract()["components"]["schemas"]
    for kind, reference in schemas["Event"]["discriminator"]["mapping"].items():
        schema = schemas[reference.rpartition("/")[2]]
        (data,) = schema.get("allOf", [schema])[-1]["properties"]["data"]["allOf"]
        yield kind, data["$ref"]


def test_choices_that_many_fields_have_are_written_once():
    lists = [tuple(one["enum"]) for one in nodes(contract()) if isinstance(one.get("enum"), list)]
    assert [one for one in lists if len(one) > 8 and lists.count(one) > 2] == []
    assert contract()["components"]["schemas"]["Currency"]["enum"] == list(CURRENCIES)


def test_no_field_of_a_body_has_a_default():
    """Some generators require each field that has one."""
    schemas = contract()["components"]["schemas"]
    bodies = [one for one in schemas.values() if one.get("additionalProperties") is False]
    assert len(bodies) > 40
    assert [one for body in bodies for one in body["properties"].values() if "default" in one] == []


def test_the_licence_is_that_of_the_repository():
    said = contract()["info"]["license"]
    assert said == {"name": "MIT License", "identifier": "MIT"}
    assert (ROOT / "LICENSE").read_text().startswith(said["name"])


def test_the_key_is_the_only_credential_and_a_signature_a_header():
    """Some clients send their key to every security scheme that an operation names."""
    assert list(contract()["components"]["securitySchemes"]) == ["key"]
    for row in OPERATIONS:
        said = operation(row)
        assert said["security"] == [{"key": []}], row.name
        (signature,) = (one for one in said["parameters"] if one["name"] == "Service-Signature")
        assert (signature["in"], signature.get("required", False)) == ("header", False)


def test_tags_and_operations_are_described():
    tags = {tag["name"]: tag["description"] for tag in contract()["tags"]}
    assert all(tags.values())
    # OpenAPI has a section of this name, so generators drop a tag with it.
    assert "webhooks" not in tags
    everything = said_of("paths", "webhooks")
    # One webhook for all events: some generators make a method of each.
    assert len(everything) == len(OPERATIONS) + 1
    for one in everything:
        assert set(one["tags"]) <= tags.keys(), one["operationId"]
        assert all((one["summary"], one["description"])), one["operationId"]
        assert "security" in one


def test_every_answer_has_its_headers_and_a_description():
    for row in OPERATIONS:
        answers = operation(row)["responses"]
        for status, answer in answers.items():
            assert answer["description"], (row.name, status)
            assert {"X-Request-Id", "RateLimit"} <= answer["headers"].keys(), (row.name, status)
        assert "Retry-After" in answers["429"]["headers"]
        assert "WWW-Authenticate" in answers["401"]["headers"]
        assert "409" in answers, row.name
        for status in (str(row.status), "403", "409", "422"):
            assert ("Idempotent-Replayed" in answers[status]["headers"]) == row.changes


def test_refusals_say_what_their_members_mean():
    schemas = contract()["components"]["schemas"]
    for name in ("ProblemDocument", "RefusalMeta"):
        assert {"reason", "required_scope", "errors"} <= schemas[name]["properties"].keys()
        assert all(one.get("description") for one in schemas[name]["properties"].values())
    codes = schemas["ProblemError"]["properties"]["code"]["description"]
    assert all(f"`{code}`: {said}" in codes for code, said in FAULT_CODES.items())


# Which argument of a call is the code of a mistake.
CODED = {"mistake": 0, "_refused": 0, "Blocker": 0}
CODED |= {"mistake_at": 1, "unreadable": 1, "Fault": 1, "ErrorDetail": 1}
# Only pages refuse with these.
ON_PAGES = {"balance_not_zero", "domain_refused", "logo_refused"}
SOURCES = [
    file
    for folder in ("api", "apikeys/webhooks", "onboarding/restrictions")
    for file in (ROOT / folder).rglob("*.py")
] + [ROOT / "console" / "accounts" / "business_access.py"]


def calls():
    """Yield each call in the API's sources, with the name of what is called."""
    for file in SOURCES:
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call):
                yield getattr(call.func, "attr", getattr(call.func, "id", "")), call


def refusals(base=Refused):
    """Return every class of refusals by name."""
    found = {base.__name__: base}
    return found | {n: c for below in base.__subclasses__() for n, c in refusals(below).items()}


def word_of(code):
    """Return the word of a constant or of a name, if it is one."""
    if isinstance(code, ast.Constant):
        return [code.value]
    return [getattr(problem_reasons, code.id)] if getattr(code, "id", "").isupper() else []


def raised_codes():
    """Return the codes that are arguments, and those of refusals that point to a field."""
    classes = refusals()
    own = ("api.", "apikeys.webhooks.", "onboarding.restrictions.")
    pointing = {one for one in classes.values() if one.field and one.__module__.startswith(own)}
    for name, call in calls():
        if len(call.args) > (at := CODED.get(name, 99)):
            yield from word_of(call.args[at])
        if name in classes and any(keyword.arg == "field" for keyword in call.keywords):
            pointing.add(classes[name])
    for one in pointing:
        # A refusal with an error code of its own points with its reason.
        reasons = REASONS.get(one.code, {}).keys() - {"not_connected"}
        yield from reasons if one.code in CODES else [one.code]


def test_every_code_of_a_mistake_is_declared():
    replaced = {name: ours for name, (ours, _) in validation._OURS.items()}
    used = {replaced.get(code, code) for code in raised_codes()} | set(replaced.values())
    assert used - ON_PAGES == set(FAULT_CODES)


def test_it_is_small_and_compressed_and_asked_for_once(client):
    address = reverse("api:openapi")
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    again = client.get(address, headers={"If-None-Match": plain.headers["ETag"]})
    packed_again = client.get(
        address, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    )

    assert plain.content == openapi.document() == gzip.decompress(packed.content)
    assert len(plain.content) < 560_000
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < 60_000
    assert "no-store" not in plain.headers["Cache-Control"]
    assert (again.status_code, again.content) == (304, b"")
    assert (packed_again.status_code, packed_again.content) == (304, b"")
