"""The 22 codes of the API, their statuses, and the problem document that carries them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.conf import settings
from rest_framework.exceptions import APIException

from console.core.refusals import NotAllowed, Refused, TooMany

CONTENT_TYPE = "application/problem+json"
RETRY = ("Retry-After", "1")


@dataclass(frozen=True)
class Code:
    """One row of the table: what a code means, in words its reader can act on."""

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
        """Return where its page is: the `type` and the `doc` of a problem."""
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
            "Credentials are not valid",
            "Check that the whole key was copied: the id, a colon and the secret.",
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
            "Add this address to the allowlist in the console, or call from one that is on it.",
        ),
        Code(
            "SIGNATURE_INVALID",
            401,
            "Signature is not valid",
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
            "The key lacks a scope",
            "Use a key that has the scope named in required_scope.",
        ),
        Code(
            "PRODUCT_NOT_ENABLED",
            403,
            "Product not enabled",
            "This product is not enabled for the business. Ask for it in the console.",
        ),
        Code(
            "ENVIRONMENT_MISMATCH",
            403,
            "Key of the other environment",
            "Use a sandbox key on the sandbox address and a live key on the live address.",
        ),
        Code(
            "RATE_LIMITED",
            429,
            "Too many requests",
            "Wait for the seconds named in Retry-After, then try again.",
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
            "The request has a mistake",
            "Correct what is listed in errors, then send it again.",
        ),
        Code(
            "NOT_FOUND",
            404,
            "Not found",
            "Nothing is here. Check the address and the id.",
        ),
        Code(
            "INSUFFICIENT_BALANCE",
            422,
            "Balance is too low",
            "Fund the balance, then send the request with a new Idempotency-Key.",
        ),
        Code(
            "QUOTE_EXPIRED",
            422,
            "The quote has expired or was used",
            "Ask for a new quote.",
        ),
        Code(
            "COMPLIANCE_BLOCKED",
            403,
            "Blocked by compliance",
            "This request cannot be served.",
        ),
        Code(
            "NO_PROVIDER_ENABLED",
            422,
            "No provider is switched on",
            "No provider serves this product here yet. Ask your account manager.",
        ),
        Code(
            "PROVIDER_UNAVAILABLE",
            503,
            "Unavailable for the moment",
            "Try again with the same Idempotency-Key after the seconds named in Retry-After.",
            retryable=True,
        ),
        Code(
            "INTERNAL_ERROR",
            500,
            "Our fault",
            "Something failed on our side. Try again; if it stays, send us the request_id.",
            retryable=True,
        ),
        Code(
            "STOCK_CONFLICT",
            409,
            "Taken meanwhile",
            "It was reserved or sold in the meantime. Choose another.",
        ),
    )
}


@dataclass(frozen=True)
class Fault:
    """One mistake in a request: a JSON pointer, a word for machines, a sentence for people."""

    pointer: str
    code: str
    detail: str
    allowed: Sequence[str] = ()

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"pointer": self.pointer, "code": self.code, "detail": self.detail}
        return body | {"allowed": list(self.allowed)} if self.allowed else body


class ApiProblem(APIException):
    """The API declines a call with one of the 22 codes.

    `status` is given only where a code has more than one: 400, 413 and 415 for a request that
    cannot be read, 405 for a wrong method. `members` are the code's own extensions.
    """

    # In words, and never a code of REST framework's.
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
        """Return the problem document of RFC 9457."""
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
        """Return what stands beside the members of every problem: mistakes, and the code's own."""
        errors = {"errors": [fault.body() for fault in self.errors]} if self.errors else {}
        return errors | self.members


def unreadable(pointer: str, code: str, detail: str, *, status: int = 400) -> ApiProblem:
    """Return the problem of a request that cannot be read: 400, 413 or 415."""
    return ApiProblem(
        "VALIDATION_ERROR", detail, status=status, errors=[Fault(pointer, code, detail)]
    )


def invalid(*faults: Fault) -> ApiProblem:
    """Return the 422 of a request that was read and has mistakes."""
    return ApiProblem("VALIDATION_ERROR", errors=faults)


def problem_for(refused: Refused) -> ApiProblem:
    """Say a refusal of the domain with one of the 22 codes, never with a word of our own."""
    if refused.code in CODES:
        # What stands behind it stays inside.
        waits = CODES[refused.code].status == HTTPStatus.SERVICE_UNAVAILABLE
        return ApiProblem(refused.code, headers=[RETRY] if waits else ())
    if isinstance(refused, NotAllowed):
        return ApiProblem("FORBIDDEN_SCOPE", refused.message)
    if isinstance(refused, TooMany):
        return ApiProblem(
            "RATE_LIMITED", refused.message, headers=[("Retry-After", str(refused.retry_after))]
        )
    if refused.field:
        return invalid(Fault(f"/{refused.field}", refused.code, refused.message))
    faults = [Fault("", blocker.code, blocker.message) for blocker in refused.blockers]
    return ApiProblem("VALIDATION_ERROR", refused.message, errors=faults)
