"""The API's 22 error codes, their statuses, and the RFC 9457 problem document."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.conf import settings
from rest_framework.exceptions import APIException

from api.problem_reasons import REASONS
from console.core.refusals import NotAllowed, Refused, TooMany

CONTENT_TYPE = "application/problem+json"
RETRY = ("Retry-After", "1")


@dataclass(frozen=True)
class Code:
    """An error code: its meaning, in words its reader can act on."""

    name: str
    status: int
    title: str
    detail: str
    retryable: bool = False

    @cached_property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")

    @cached_property
    def address(self) -> str:
        """Return the URL of its page, used as a problem's `type` and `doc`."""
        return f"{settings.BASE_URL}/docs/problems/{self.slug}"


CODES: dict[str, Code] = {
    code.name: code
    for code in (
        Code(
            "UNAUTHENTICATED",
            401,
            "No credentials",
            "Send the header Authorization: Bearer <key_id>:<secret>.",
        ),
        Code(
            "INVALID_CREDENTIALS",
            401,
            "Invalid credentials",
            "Check that you copied the whole key: the ID, a colon and the secret.",
        ),
        Code(
            "CREDENTIAL_EXPIRED",
            401,
            "The key no longer works",
            "Create a new key in the console and use it instead.",
        ),
        Code(
            "IP_NOT_ALLOWED",
            403,
            "Address not allowed",
            "Add this address to the allowlist in the console, or call from an address on it.",
        ),
        Code(
            "SIGNATURE_INVALID",
            401,
            "Invalid signature",
            "Sign the request again with this key's secret.",
        ),
        Code(
            "REPLAY_DETECTED",
            401,
            "Signed request is too old or was already used",
            "Sign the request again with the current time and a new nonce.",
        ),
        Code(
            "FORBIDDEN_SCOPE",
            403,
            "The key does not have the scope",
            "Use a key with the scope in required_scope.",
        ),
        Code(
            "PRODUCT_NOT_ENABLED",
            403,
            "Product not enabled",
            "This product is not enabled for your business. Request it in the console.",
        ),
        Code(
            "ENVIRONMENT_MISMATCH",
            403,
            "Key for another environment",
            "Use a sandbox key with the sandbox address and a live key with the live address.",
        ),
        Code(
            "RATE_LIMITED",
            429,
            "Too many requests",
            "Wait for the number of seconds in Retry-After, then try again.",
            retryable=True,
        ),
        Code(
            "IDEMPOTENCY_KEY_REQUIRED",
            400,
            "Idempotency-Key is missing",
            "Send the header Idempotency-Key with 8 to 120 characters.",
        ),
        Code(
            "IDEMPOTENCY_KEY_REUSED",
            409,
            "Idempotency-Key was used for another request",
            "Use a new Idempotency-Key for a new request.",
        ),
        Code(
            "IDEMPOTENT_REQUEST_IN_PROGRESS",
            409,
            "The first request is still running",
            "Wait, then send the same request with the same Idempotency-Key.",
            retryable=True,
        ),
        Code(
            "VALIDATION_ERROR",
            422,
            "Invalid request",
            "Correct the mistakes listed in errors, then send the request again.",
        ),
        Code(
            "NOT_FOUND",
            404,
            "Not found",
            "We found nothing here. Check the address and the ID.",
        ),
        Code(
            "INSUFFICIENT_BALANCE",
            422,
            "Insufficient balance",
            "Add money to the balance, then send the request with a new Idempotency-Key.",
        ),
        Code(
            "QUOTE_EXPIRED",
            422,
            "The quote has expired or was used",
            "Request a new quote.",
        ),
        Code(
            "COMPLIANCE_BLOCKED",
            403,
            "Blocked by compliance",
            "We cannot process this request.",
        ),
        Code(
            "NO_PROVIDER_ENABLED",
            422,
            "No provider is available",
            REASONS["NO_PROVIDER_ENABLED"]["not_connected"],
        ),
        Code(
            "PROVIDER_UNAVAILABLE",
            503,
            "Temporarily unavailable",
            (
                "Wait for the number of seconds in Retry-After, then try again with the same "
                "Idempotency-Key."
            ),
            retryable=True,
        ),
        Code(
            "INTERNAL_ERROR",
            500,
            "Internal error",
            (
                "Something failed on our side. Try again. If it keeps failing, send us the "
                "request_id."
            ),
            retryable=True,
        ),
        Code(
            "STOCK_CONFLICT",
            409,
            "No longer available",
            "Somebody else has reserved or bought it. Choose another.",
        ),
    )
}


@dataclass(frozen=True)
class Fault:
    """An error in a request: a JSON pointer, a code and a sentence."""

    pointer: str
    code: str
    detail: str
    allowed: Sequence[str] = ()

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"pointer": self.pointer, "code": self.code, "detail": self.detail}
        return body | {"allowed": list(self.allowed)} if self.allowed else body


class ApiProblem(APIException):
    """The API refuses a call with one of the 22 codes.

    Give `status` only for a code with more than one: 400, 413 and 415 for an unreadable request,
    405 for a wrong method. `members` are the code's own extensions.
    """

    # A sentence, never one of REST framework's codes.
    detail: Any

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        status: int = 0,
        headers: Sequence[tuple[str, str]] = (),
        errors: Sequence[Fault] = (),
        **members: Any,
    ) -> None:
        super().__init__(code=code)
        self.code = CODES[code]
        self.status = status or self.code.status
        self.detail = detail or self.code.detail
        self.headers = list(headers)
        self.errors = errors
        self.members = members

    def document(self, request_id: str) -> dict[str, Any]:
        """Return the RFC 9457 problem document."""
        code = self.code
        return {
            "type": code.address,
            "title": code.title,
            "status": self.status,
            "detail": self.detail,
            "instance": f"urn:request:{request_id}",
            "code": code.name,
            "request_id": request_id,
            "retryable": code.retryable,
            "doc": code.address,
            **self.extensions,
        }

    @property
    def extensions(self) -> dict[str, Any]:
        """Return the extension members: errors, and those of the code."""
        errors = {"errors": [fault.body() for fault in self.errors]} if self.errors else {}
        return errors | self.members


def unreadable(pointer: str, code: str, detail: str, *, status: int = 400) -> ApiProblem:
    """Return the problem of an unreadable request: 400, 413 or 415."""
    return ApiProblem(
        "VALIDATION_ERROR", detail, status=status, errors=[Fault(pointer, code, detail)]
    )


def unknown_id(*members: str) -> ApiProblem:
    """Return the 422 of members that name objects which are not there."""
    said = "We found nothing with this ID."
    return invalid(*(Fault(f"/{member}", "not_found", said) for member in members))


def invalid(*faults: Fault) -> ApiProblem:
    """Return the 422 for a request with validation errors."""
    return ApiProblem("VALIDATION_ERROR", errors=faults)


def problem_for(refused: Refused) -> ApiProblem:
    """Return a domain refusal as one of the 22 codes."""
    if refused.code in CODES:
        return _problem_of_code(refused)
    if isinstance(refused, NotAllowed):
        return ApiProblem("FORBIDDEN_SCOPE", refused.message)
    if isinstance(refused, TooMany):
        return ApiProblem(
            "RATE_LIMITED", refused.message, headers=[("Retry-After", str(refused.retry_after))]
        )
    if refused.field:
        return invalid(Fault(f"/{refused.field}", refused.code, refused.message))
    faults = [Fault("", blocker.code, blocker.message) for blocker in refused.blockers]
    reason = refused.reason or (faults[0].code if faults else refused.code)
    return ApiProblem("VALIDATION_ERROR", refused.message, errors=faults, reason=reason)


def _problem_of_code(refused: Refused) -> ApiProblem:
    """Say it in the words of its code and reason, and point to what the request names."""
    code, reason = refused.code, refused.reason
    waits = CODES[code].status == HTTPStatus.SERVICE_UNAVAILABLE
    if not reason:
        return ApiProblem(code, headers=[RETRY] if waits else ())
    said = REASONS[code][reason]
    fields = [refused.field, *(blocker.code for blocker in refused.blockers)]
    faults = [Fault(f"/{field}", reason, said) for field in fields if field]
    return ApiProblem(code, said, errors=faults, reason=reason)
