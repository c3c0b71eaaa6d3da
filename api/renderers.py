"""Renderers: how each family of operations writes answers and refusals as JSON."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.renderers import JSONRenderer

from api.problem_reasons import FAULT_CODES
from api.problems import CODES, CONTENT_TYPE
from console.core import clock

JSON = "application/json"


class ProblemError(serializers.Serializer[object]):
    """An error in a request."""

    pointer = serializers.CharField(
        allow_blank=True, help_text="A JSON pointer to the field with the mistake."
    )
    code = serializers.CharField(
        help_text="The kind of mistake. We may add codes.\n\n"
        + "\n".join(f"- `{code}`: {said}" for code, said in FAULT_CODES.items())
    )
    detail = serializers.CharField(help_text="What to correct, in words.")
    allowed = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The allowed values or fields."
    )


class RefusalDetails(serializers.Serializer[object]):
    """The fields of a refusal that depend on its code."""

    code = serializers.ChoiceField(choices=list(CODES), help_text="One of our error codes.")
    request_id = serializers.CharField(help_text="The ID of this call.")
    errors = ProblemError(many=True, required=False, help_text="Every mistake.")  # type: ignore[assignment]  # as DRF has it
    reason = serializers.CharField(
        required=False, help_text="Why, where a code has several causes. We may add reasons."
    )
    required_scope = serializers.CharField(
        required=False, help_text="The scope that the key lacks, with `FORBIDDEN_SCOPE`."
    )
    product = serializers.CharField(
        required=False, help_text="The product that is not enabled or has no provider."
    )
    environment = serializers.CharField(
        required=False, help_text="The environment of the address that you called."
    )
    key_environment = serializers.CharField(
        required=False, help_text="The environment of your key, with `ENVIRONMENT_MISMATCH`."
    )
    key_id = serializers.CharField(
        required=False, help_text="The ID of your key, with `ENVIRONMENT_MISMATCH`."
    )
    client_ip = serializers.CharField(
        required=False, help_text="The address you called from, with `IP_NOT_ALLOWED`."
    )
    existing = serializers.CharField(
        required=False,
        allow_null=True,
        help_text="The path of what you created with the key, with `IDEMPOTENCY_KEY_REUSED`.",
    )

    first_request_at = serializers.DateTimeField(
        required=False,
        help_text="When the first request with the key came, with `IDEMPOTENCY_KEY_REUSED`.",
    )

    def get_fields(self) -> dict[str, Any]:
        # The rate limit draft's name is no Python name.
        limits = serializers.ListField(
            child=serializers.CharField(),
            required=False,
            help_text="The limit that you exceeded, with `RATE_LIMITED`.",
        )
        return super().get_fields() | {"violated-policies": limits}


class ProblemDocument(RefusalDetails):
    """Why we refused a call (RFC 9457). Check `code`, and log `request_id`."""

    type = serializers.URLField(help_text="The page about the error code.")
    title = serializers.CharField(help_text="The error code in words.")
    status = serializers.IntegerField(help_text="The HTTP status.")
    detail = serializers.CharField(help_text="What happened and what to do.")
    instance = serializers.CharField(required=False, help_text="This call, as a URN.")
    retryable = serializers.BooleanField(
        help_text="Whether the same request can succeed if you send it again."
    )
    doc = serializers.URLField(help_text="The page about the error code.")


class NothingField(serializers.Field[None, None, None, None]):
    """A field that is always null."""


class RefusalMeta(RefusalDetails):
    """The time and ID of the refused call, the reason, and details of the code."""

    timestamp = serializers.DateTimeField(help_text="When we refused the call.")


class RefusedResult(serializers.Serializer[object]):
    """Why we refused a call. Check `meta.code`, and log `meta.request_id`."""

    success = serializers.BooleanField(help_text="False: the call failed.")
    message = serializers.CharField(help_text="What happened and what to do.")
    data = NothingField(help_text="Always null.")  # type: ignore[assignment]  # as DRF has it
    meta = RefusalMeta(help_text="The details of the refusal.")


class ObjectRenderer(JSONRenderer):
    """An object with the `request_id` of its call; a refusal is a problem document (RFC 9457).

    `refusal` describes the body of a refusal, whose media type is `refusal_type`.
    """

    refusal: ClassVar[type[serializers.Serializer[object]]] = ProblemDocument
    refusal_type = CONTENT_TYPE

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        context = renderer_context or {}
        if data is not None:
            refused = context["response"].exception
            data = self.refuse(data) if refused else self.answer(data, context["view"].request_id)
        return super().render(data, accepted_media_type, renderer_context)

    @staticmethod
    def answer(data: Any, request_id: str) -> dict[str, Any]:
        """Return the body of an answer."""
        return {**data, "request_id": request_id}

    @staticmethod
    def refuse(document: dict[str, Any]) -> dict[str, Any]:
        """Return the body of a refusal."""
        return document


class ResultRenderer(ObjectRenderer):
    """The second family: `success`, `message`, `data` and `meta`, for answers and refusals.

    The ID of the call is in the header, and in the `meta` of refusals. Views answer `succeeded`.
    """

    refusal = RefusedResult
    refusal_type = JSON

    @staticmethod
    def answer(data: Any, request_id: str) -> dict[str, Any]:
        meta = {"timestamp": data["timestamp"]}
        return {"success": True, "message": data["message"], "data": data["data"], "meta": meta}

    @staticmethod
    def refuse(document: dict[str, Any]) -> dict[str, Any]:
        elsewhere = ("type", "title", "status", "detail", "instance", "retryable", "doc")
        said = {name: value for name, value in document.items() if name not in elsewhere}
        meta = {"timestamp": clock.iso(clock.now()), **said}
        return {"success": False, "message": document["detail"], "data": None, "meta": meta}


def succeeded(message: str, data: Any, *, at: datetime | None = None) -> dict[str, Any]:
    """Return what `ResultRenderer` writes for a success.

    Its time is `at`, by default now. A replayed response has the original time.
    """
    return {"message": message, "data": data, "timestamp": clock.iso(at or clock.now())}
