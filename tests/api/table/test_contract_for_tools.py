"""Requirements of generators, linters and download tools on the contract."""

import ast
import gzip
import json
import subprocess
from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from api.problem_reasons import FAULT_CODES
from api.reference import openapi
from api.v1.router import OPERATIONS
from tests.api.table.test_openapi import CONTRACT, operation
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
    return [one for kind in kinds for path in CONTRACT[kind].values() for one in path.values()]


def test_every_pattern_is_a_regular_expression_of_javascript():
    patterns = [one["pattern"] for one in nodes(CONTRACT) if isinstance(one.get("pattern"), str)]
    words = [str(NODE), "-e", COMPILE, json.dumps(patterns)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert len(patterns) > 30
    assert done.stdout == ""


def test_no_type_is_null_alone():
    alone = [one for one in nodes(CONTRACT["components"]["schemas"]) if one.get("type") == "null"]
    choices = [
        choice
        for one in nodes(CONTRACT["components"]["schemas"])
        for choice in (*one.get("oneOf", ()), *one.get("anyOf", ()))
    ]
    # As one of several types it makes the other nullable, which generators support.
    assert len(choices) > len(alone) == choices.count({"type": "null"})


def test_tags_and_operations_are_described():
    tags = {tag["name"]: tag["description"] for tag in CONTRACT["tags"]}
    assert all(tags.values())
    # OpenAPI has a section of this name, so generators drop a tag with it.
    assert "webhooks" not in tags
    everything = said_of("paths", "webhooks")
    assert len(everything) > len(OPERATIONS)
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
        assert ("Idempotent-Replayed" in answers[str(row.status)]["headers"]) == row.changes


def test_refusals_say_what_their_members_mean():
    schemas = CONTRACT["components"]["schemas"]
    for name in ("ProblemDocument", "RefusalMeta"):
        assert {"reason", "required_scope", "errors"} <= schemas[name]["properties"].keys()
        assert all(one.get("description") for one in schemas[name]["properties"].values())
    codes = schemas["ProblemError"]["properties"]["code"]["description"]
    assert all(f"`{code}`" in codes for code in FAULT_CODES)


def test_every_code_of_a_mistake_is_declared():
    """Codes are strings: the first argument of `mistake`, the second of the other functions."""
    place = {"mistake": 0, "mistake_at": 1, "unreadable": 1, "Fault": 1}
    words = [
        call.args[at]
        for file in (ROOT / "api").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        for at in [place.get(call.func.id)]
        if at is not None and len(call.args) > at
    ]
    used = {word.value for word in words if isinstance(word, ast.Constant)}
    assert len(used) > 15
    assert used <= set(FAULT_CODES)


def test_it_is_small_and_compressed_and_asked_for_once(client):
    address = reverse("api:openapi")
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    again = client.get(address, headers={"If-None-Match": plain.headers["ETag"]})
    packed_again = client.get(
        address, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    )

    assert plain.content == openapi.document() == gzip.decompress(packed.content)
    assert len(plain.content) < 600_000
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < 60_000
    assert "no-store" not in plain.headers["Cache-Control"]
    assert (again.status_code, again.content) == (304, b"")
    assert (packed_again.status_code, packed_again.content) == (304, b"")
