"""Response envelopes: how a family of operations wraps answers and errors."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.problems import CODES, CONTENT_TYPE, ApiProblem
from console.core import clock

JSON = "application/json"


class ProblemError(serializers.Serializer[object]):
    """An error in a request."""

    pointer = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    detail = serializers.CharField()
    allowed = serializers.ListField(child=serializers.CharField(), required=False)


class ProblemDocument(serializers.Serializer[object]):
    """Why we refused a call (RFC 9457). Check `code`, and log `request_id`."""

    type = serializers.URLField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    instance = serializers.CharField(required=False)
    code = serializers.ChoiceField(choices=list(CODES))
    request_id = serializers.CharField()
    retryable = serializers.BooleanField()
    doc = serializers.URLField()
    errors = ProblemError(many=True, required=False)  # type: ignore[assignment]  # as DRF has it


class NothingField(serializers.Field[None, None, None, None]):
    """A field that is always null."""


class RefusalMeta(serializers.Serializer[object]):
    """The time and ID of the refused call, the reason, and details of the code."""

    timestamp = serializers.DateTimeField()
    code = serializers.ChoiceField(choices=list(CODES))
    request_id = serializers.CharField()
    errors = ProblemError(many=True, required=False)  # type: ignore[assignment]  # as DRF has it


class RefusedResult(serializers.Serializer[object]):
    """Why we refused a call. Check `meta.code`, and log `meta.request_id`."""

    success = serializers.ChoiceField(choices=[False])
    message = serializers.CharField()
    data = NothingField()  # type: ignore[assignment]  # as DRF has it
    meta = RefusalMeta()


@dataclass(frozen=True)
class Envelope:
    """A response format. `answer` and `refuse` take a body or problem, and the request ID.

    `refusal` describes the body of a refusal, whose media type is `refusal_type`.
    """

    answer: Callable[[dict[str, Any], str], dict[str, Any]]
    refuse: Callable[[ApiProblem, str], dict[str, Any]]
    refusal: type[serializers.Serializer[object]]
    refusal_type: str


def succeeded(message: str, data: Any, *, at: datetime | None = None) -> dict[str, Any]:
    """Return a success response body of the second family.

    Its time is `at`, by default now. A replayed response has the original time.
    """
    meta = {"timestamp": clock.iso(at or clock.now())}
    return {"success": True, "message": message, "data": data, "meta": meta}


def _with_request_id(body: dict[str, Any], request_id: str) -> dict[str, Any]:
    return body | {"request_id": request_id}


def _as_it_is(body: dict[str, Any], _: str) -> dict[str, Any]:
    return body


def _refused_result(problem: ApiProblem, request_id: str) -> dict[str, Any]:
    meta = {
        "timestamp": clock.iso(clock.now()),
        "code": problem.code.name,
        "request_id": request_id,
        **problem.extensions,
    }
    return {"success": False, "message": problem.detail, "data": None, "meta": meta}


# Objects with a `request_id`, and problem documents.
VERSIONED_FAMILY = Envelope(_with_request_id, ApiProblem.document, ProblemDocument, CONTENT_TYPE)
# `success`, `message`, `data` and `meta`; the request ID is in the header, and in the `meta` of
# refusals.
SECOND_FAMILY = Envelope(_as_it_is, _refused_result, RefusedResult, JSON)
