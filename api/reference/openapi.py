"""The published contract: OpenAPI 3.1, made by drf-spectacular from the operation table.

Each path becomes one view that is never called, with a method for each row. Nothing is written
beside an operation: its docstring, serializers, scope and codes say everything.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.views import APIView

from api.gateway.envelopes import JSON, VERSIONED_FAMILY, Envelope
from api.gateway.fields import StrictSerializer
from api.gateway.operations import Operation
from api.gateway.problems import CODES, ApiProblem, Code
from api.reference import openapi_events
from api.v1.numbers import LARGEST
from api.v1.operations import TABLE

_KEY_SHAPE = {"type": "string", "minLength": 8, "maxLength": 120, "pattern": r"^[\x20-\x7e]+$"}
# Where a code has more than its own status: a request that cannot be read.
_UNREADABLE = (400, 413, 415)
_REQUEST_ID = "req_" + "0" * 26
# The contract says the same whenever it is made.
_TIMESTAMP = "2026-09-01T09:30:00Z"


class TextInContract(OpenApiSerializerFieldExtension):
    """A strict text with its lengths and its pattern."""

    target_class = "api.gateway.fields.StrictText"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        field = self.target
        shape: dict[str, Any] = {"type": "string"}
        shape |= {"minLength": field.min_length or 1} if not field.allow_blank else {}
        shape |= {"maxLength": field.max_length} if field.max_length else {}
        if field.pattern:
            shape |= {"pattern": f"^(?:{field.pattern})$", "x-rule": field.says}
        return shape


class WholeInContract(OpenApiSerializerFieldExtension):
    """A strict whole number with its bounds."""

    target_class = "api.gateway.fields.StrictWhole"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.target.low, "maximum": self.target.high}


class AmountNumberInContract(OpenApiSerializerFieldExtension):
    """An amount as a number, above zero."""

    target_class = "api.v1.numbers.AmountNumberField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}


class NothingInContract(OpenApiSerializerFieldExtension):
    """What is null, and nothing else."""

    target_class = "api.gateway.envelopes.NothingField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "null"}


@cache
def document() -> bytes:
    """Return the contract as JSON. The table never changes while a process runs."""
    paths: dict[str, list[Operation]] = defaultdict(list)
    for row in TABLE.operations:
        paths[row.path].append(row)
    patterns = [_pattern(*one) for one in paths.items()]
    made = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    schemas = made["components"]["schemas"]
    for name in _strict_names(row.body for row in TABLE.operations if row.body):
        # What nobody knows is refused.
        schemas[name]["additionalProperties"] = False
    schemas |= openapi_events.schemas()
    made["webhooks"] = openapi_events.webhooks()
    return json.dumps(made, indent=1).encode()


def without_marks(result: Any, **_: Any) -> Any:
    """Take out what drf-spectacular notes for itself. Called by its name, from settings."""
    if isinstance(result, dict):
        return {n: without_marks(v) for n, v in result.items() if n != "x-spec-enum-id"}
    return [without_marks(one) for one in result] if isinstance(result, list) else result


def example_of(
    code: Code, status: int = 0, envelope: Envelope = VERSIONED_FAMILY
) -> dict[str, Any]:
    """Return a refusal with a code, where a call has no members of its own to tell."""
    problem = ApiProblem(code.name, status=status)
    refused = envelope.refuse(problem, _REQUEST_ID)
    if "meta" in refused:
        refused["meta"]["timestamp"] = _TIMESTAMP
    return refused


def _pattern(address: str, rows: list[Operation]) -> URLPattern:
    members = {row.method.lower(): extend_schema(**_described(row))(_never()) for row in rows}
    closed: dict[str, Any] = {"authentication_classes": [], "permission_classes": []}
    view: Any = type("Contract", (APIView,), closed | members)
    route = address.removeprefix("/").replace("{", "<str:").replace("}", ">")
    pattern: URLPattern = path(route, view.as_view())
    return pattern


def _never() -> Any:
    def never(self: APIView, request: object) -> None:
        raise NotImplementedError("The gateway answers; this view describes.")

    return never


def _described(row: Operation) -> dict[str, Any]:
    """Return one row in drf-spectacular's words."""
    parameters: list[Any] = [OpenApiParameter("Service-Version", str, "header")]
    parameters += [row.query] if row.query().fields else []
    if row.changes:
        needed = row.financial
        key = OpenApiParameter("Idempotency-Key", _KEY_SHAPE, "header", required=needed)
        parameters.append(key)
    parameters += [
        OpenApiParameter(n, str, "path", description="As an answer of ours gave it.")
        for n in _names(row.path)
    ]
    envelope = row.envelope
    responses: dict[Any, Any] = {
        (status, JSON): row.answer for status in (row.status, *row.other_statuses)
    }
    if row.status == HTTPStatus.NO_CONTENT:
        responses = {row.status: None}
    codes = [(code.status, code) for code in map(CODES.__getitem__, sorted(row.every_code))]
    codes += [(status, CODES["VALIDATION_ERROR"]) for status in _UNREADABLE]
    responses |= {(status, envelope.refusal_type): envelope.refusal for status, _ in codes}
    return {
        "operation_id": row.name,
        "summary": row.summary,
        "tags": [row.product],
        "parameters": parameters,
        "request": {JSON: row.body} if row.body else None,
        "responses": responses,
        "examples": [*_good(row), *(_example(envelope, *one) for one in codes)],
        "auth": [{"key": []}, {"key": [], "signature": []}],
        "extensions": {
            "x-scope": row.scope,
            "x-product": row.product,
            "x-financial": row.financial,
            "x-sandbox-only": row.is_test_helper,
            "x-codes": sorted(row.every_code),
        },
    }


def _good(row: Operation) -> list[OpenApiExample]:
    """Return the documented call: what it takes, and what it answers."""
    if row.status == HTTPStatus.NO_CONTENT:
        return []
    answer = OpenApiExample(
        row.name, row.example.answer, response_only=True, status_codes=[str(row.status)]
    )
    if row.example.body is None:
        return [answer]
    return [OpenApiExample(row.name, row.example.body, request_only=True), answer]


def _example(envelope: Envelope, status: int, code: Code) -> OpenApiExample:
    return OpenApiExample(
        f"{code.name}_{status}",
        value=example_of(code, status, envelope),
        summary=code.title,
        response_only=True,
        status_codes=[str(status)],
        media_type=envelope.refusal_type,
    )


def _names(address: str) -> list[str]:
    return [part[1:-1] for part in address.split("/") if part.startswith("{")]


def _strict_names(bodies: Iterable[type[StrictSerializer]]) -> set[str]:
    """Return what drf-spectacular calls these serializers, and those that stand in them."""
    found = set()
    for body in bodies:
        found.add(body.__name__.removesuffix("Serializer"))
        inside = (type(field) for field in body().fields.values())
        found |= _strict_names(one for one in inside if issubclass(one, StrictSerializer))
    return found
