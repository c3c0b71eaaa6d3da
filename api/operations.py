"""Operation: an API operation, described by a ViewSet's action and its path."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rest_framework.serializers import BaseSerializer

from api.fields import StrictSerializer
from api.renderers import ObjectRenderer
from api.validation import QuerySerializer

# Path prefix of operations that simulate an outside party, in the sandbox only.
TEST_HELPERS = "/test-helpers/"
# Codes of the checks of a known key. With another code, a call passed them.
CODES_OF_KEYS = (
    "CREDENTIAL_EXPIRED",
    "SIGNATURE_INVALID",
    "REPLAY_DETECTED",
    "COMPLIANCE_BLOCKED",
    "IP_NOT_ALLOWED",
    "ENVIRONMENT_MISMATCH",
    "PRODUCT_NOT_ENABLED",
    "FORBIDDEN_SCOPE",
)
# Codes that every operation can return.
_OF_EVERY_OPERATION = (
    "UNAUTHENTICATED",
    "INVALID_CREDENTIALS",
    *CODES_OF_KEYS,
    "RATE_LIMITED",
    "VALIDATION_ERROR",
    "NOT_FOUND",
    "PROVIDER_UNAVAILABLE",
    "INTERNAL_ERROR",
)


@dataclass(frozen=True, eq=False)
class OperationExample:
    """A documented example call: the response, the body and the path parameters."""

    answer: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Operation:
    """An API operation, as its ViewSet declares it: used for checks, contract, pages and tests.

    `path` is relative to the API's root and may have parameters in braces; paths under
    `TEST_HELPERS` exist in the sandbox only. `view` and `action` handle it. `answer` describes the
    response with `status` or one of `other_statuses`. `codes` are its possible errors in addition
    to those of every operation. `kind` selects the rate limit. `financial` requires an
    Idempotency-Key. `ask` names a method of the ViewSet that calls an outside party with the
    validated body: it runs under a committed claim, and the action finds what it returned as
    `self.claim.outcome`. `secret` marks responses that contain a secret: they are stored encrypted
    for their Idempotency-Key. `of_provider` marks lists of what a provider offers: without one
    they are empty. `example` is shown in the documentation, and `summary` is its title there.
    """

    name: str
    method: str
    path: str
    product: str
    scope: str
    view: Any
    action: str
    answer: type[BaseSerializer[Any]]
    summary: str = ""
    query: type[StrictSerializer] = QuerySerializer
    body: type[StrictSerializer] | None = None
    status: int = 200
    codes: tuple[str, ...] = ()
    financial: bool = False
    kind: str = "endpoint"
    ask: str = ""
    other_statuses: tuple[int, ...] = ()
    secret: bool = False
    of_provider: bool = False
    example: OperationExample = field(default_factory=OperationExample)

    @cached_property
    def changes(self) -> bool:
        """Tell whether it may change something and so supports an Idempotency-Key."""
        return self.method != "GET"

    @cached_property
    def is_test_helper(self) -> bool:
        """Tell whether it simulates an outside party, so it exists in the sandbox only."""
        return self.path.startswith(TEST_HELPERS)

    @property
    def example_path(self) -> str:
        """Return the path with the example's parameters filled in."""
        path = self.path
        for name, value in self.example.names.items():
            path = path.replace(f"{{{name}}}", value)
        return path

    @property
    def renderer(self) -> type[ObjectRenderer]:
        """Return what writes its answers and refusals."""
        renderer: type[ObjectRenderer] = self.view.renderer_classes[0]
        return renderer

    @property
    def policies(self) -> tuple[str, str]:
        """Return the names of the rate limits that a call counts against."""
        return "default", self.kind

    @property
    def every_code(self) -> frozenset[str]:
        """Return the codes that a call can return."""
        codes = [*_OF_EVERY_OPERATION, *self.codes]
        if self.changes:
            codes += ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_IN_PROGRESS"]
        if self.financial:
            codes.append("IDEMPOTENCY_KEY_REQUIRED")
        return frozenset(codes)
