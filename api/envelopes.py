"""How a family of operations wraps what it answers, and what it refuses."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.problems import CODES, CONTENT_TYPE, ApiProblem
from console.core import clock

JSON = "application/json"


class ProblemError(serializers.Serializer[object]):
    """One mistake in a request."""

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
    """It is null."""


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
    """`answer` and `refuse` write a body, and are given the id of the request.

    `refusal` describes what `refuse` writes, as `refusal_type`.
    """

    answer: Callable[[dict[str, Any], str], dict[str, Any]]
    refuse: Callable[[ApiProblem, str], dict[str, Any]]
    refusal: type[serializers.Serializer[object]]
    refusal_type: str


def succeeded(message: str, data: Any, *, at: datetime | None = None) -> dict[str, Any]:
    """Return the body of an answer of the second family.

    The time is `at`, else that of the answer, and stays so when the answer is replayed.
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
# `success`, `message`, `data` and `meta`; the id of the request is in the header, and in `meta` of
# what is refused.
SECOND_FAMILY = Envelope(_as_it_is, _refused_result, RefusedResult, JSON)
