"""drf-spectacular extensions for our actions and fields (REST framework's DEFAULT_SCHEMA_CLASS)."""

import inspect
from http import HTTPStatus
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.serializers import BaseSerializer

from api.operations import Operation
from api.problems import CODES, ApiProblem, Code
from api.renderers import JSON, ObjectRenderer
from api.serializers import ObjectAnswer, name_of
from api.v1.numbers import LARGEST

_KEY_SHAPE = {"type": "string", "minLength": 8, "maxLength": 120, "pattern": r"^[\x20-\x7e]+$"}
# Further statuses of VALIDATION_ERROR, for unreadable requests.
_UNREADABLE = (400, 413, 415)
_REQUEST_ID = "req_" + "0" * 26
# Optional headers of every operation. Not security schemes: some clients send a key to each.
_HEADERS = (
    ("Service-Version", "The version to answer in. Empty or left out, your pinned version."),
    (
        "Service-Signature",
        "`t=<unix seconds>,n=<nonce>,v1=<HMAC-SHA256 in hex>`, see "
        f"{settings.BASE_URL}/docs/signing/. Required if your business requires signed calls.",
    ),
)
# Generators drop a tag named `webhooks`, because OpenAPI has a section of that name.
_TAGS = {"webhooks": "webhook-endpoints"}
# Fixed, so that the contract is reproducible.
_TIMESTAMP = "2026-09-01T09:30:00Z"


class TextInContract(OpenApiSerializerFieldExtension):
    """Schema of StrictText, with lengths and pattern."""

    target_class = "api.fields.StrictText"
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
    """Schema of StrictWhole, with its bounds."""

    target_class = "api.fields.StrictWhole"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.target.low, "maximum": self.target.high}


class AmountNumberInContract(OpenApiSerializerFieldExtension):
    """Schema of an amount as a positive number."""

    target_class = "api.v1.numbers.AmountNumberField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}


class NothingInContract(OpenApiSerializerFieldExtension):
    """Schema of null as a nullable object, because generators have no type for null alone."""

    target_class = "api.renderers.NothingField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": ["object", "null"], "maxProperties": 0}


def no_request(method: str, path: str, view: Any, request: Any, **_: Any) -> None:
    """Set up a view without a request (GET_MOCK_REQUEST). The version is in a header."""
    view.versioning_class = None


class OperationSchema(AutoSchema):
    """Schema of an action, from its ViewSet's declarations."""

    @property
    def row(self) -> Operation:
        view: Any = self.view
        found: Operation = view.describe(view.action, self.method, "/" + self.path.lstrip("/"))
        return found

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return name_of(type(serializer))

    def get_operation_id(self) -> str:
        return self.row.name

    def get_summary(self) -> str:
        return self.row.summary

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        row = self.row
        doc = inspect.getdoc(getattr(self.view, row.action)) or ""
        said = [" ".join(doc.partition("\n\n")[2].split())]  # the first line is the summary
        said.append(f"The key needs the scope `{row.scope}`.")
        said.append("Requires an `Idempotency-Key`." if row.financial else "")
        said.append("Available in the sandbox only." if row.is_test_helper else "")
        return " ".join(filter(None, said))

    def get_tags(self) -> list[str]:
        return [tag_of(self.row.product)]

    def get_auth(self) -> list[dict[str, Any]]:
        return [{"key": []}]

    def _is_list_view(self, serializer: Any = None) -> bool:
        # A page is an object, not an array of rows.
        return False

    def get_override_parameters(self) -> list[Any]:
        row = self.row
        parameters: list[Any] = [
            OpenApiParameter(name, str, "header", description=says) for name, says in _HEADERS
        ]
        parameters += [row.query] if row.query().fields else []
        if row.changes:
            key = OpenApiParameter("Idempotency-Key", _KEY_SHAPE, "header", required=row.financial)
            parameters.append(key)
        return parameters + [
            OpenApiParameter(n, str, "path", description="The ID from an earlier response.")
            for n in _names(row.path)
        ]

    def get_request_serializer(self) -> Any:
        return {JSON: self.row.body} if self.row.body else None

    def get_response_serializers(self) -> Any:
        row = self.row
        nothing = row.status == HTTPStatus.NO_CONTENT
        good: dict[Any, Any] = {
            (status, JSON): OpenApiResponse(
                None if nothing else shape_of(row), HTTPStatus(status).phrase
            )
            for status in (row.status, *row.other_statuses)
        }
        # Every operation can answer 409 (4). Those that only read have no code for it today.
        statuses = {status for status, _ in _codes(row)} | {HTTPStatus.CONFLICT.value}
        bad = {
            (status, row.renderer.refusal_type): OpenApiResponse(
                row.renderer.refusal, HTTPStatus(status).phrase
            )
            for status in sorted(statuses)
        }
        return good | bad

    def get_examples(self) -> list[OpenApiExample]:
        row = self.row
        return [*_good(row), *(_example(row.renderer, *one) for one in _codes(row))]

    def get_extensions(self) -> dict[str, Any]:
        row = self.row
        return {
            "x-scope": row.scope,
            "x-product": row.product,
            "x-financial": row.financial,
            "x-sandbox-only": row.is_test_helper,
        }


def shape_of(row: Operation) -> type[BaseSerializer[Any]]:
    """Return the serializer of a response. One object has one schema wherever it is sent."""
    return row.answer.item if issubclass(row.answer, ObjectAnswer) else row.answer


def tag_of(product: str) -> str:
    """Return the tag of a product's operations."""
    return _TAGS.get(product, product)


def example_of(
    code: Code, status: int = 0, renderer: type[ObjectRenderer] = ObjectRenderer
) -> dict[str, Any]:
    """Return an example refusal with this code, without call-specific fields."""
    problem = ApiProblem(code.name, status=status)
    refused = renderer.refuse(problem.document(_REQUEST_ID))
    if "meta" in refused:
        refused["meta"]["timestamp"] = _TIMESTAMP
    return refused


def _codes(row: Operation) -> list[tuple[int, Code]]:
    """Return an operation's possible codes, each with its status."""
    codes = [(code.status, code) for code in map(CODES.__getitem__, sorted(row.every_code))]
    return codes + [(status, CODES["VALIDATION_ERROR"]) for status in _UNREADABLE]


def _good(row: Operation) -> list[OpenApiExample]:
    """Return the documented call: its body and its response."""
    if row.status == HTTPStatus.NO_CONTENT:
        return []
    answer = OpenApiExample(
        row.name, row.example.answer, response_only=True, status_codes=[str(row.status)]
    )
    if row.example.body is None:
        return [answer]
    return [OpenApiExample(row.name, row.example.body, request_only=True), answer]


def _example(renderer: type[ObjectRenderer], status: int, code: Code) -> OpenApiExample:
    return OpenApiExample(
        f"{code.name}_{status}",
        value=example_of(code, status, renderer),
        summary=code.title,
        response_only=True,
        status_codes=[str(status)],
        media_type=renderer.refusal_type,
    )


def _names(address: str) -> list[str]:
    return [part[1:-1] for part in address.split("/") if part.startswith("{")]
