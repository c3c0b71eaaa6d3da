"""What is known of an operation of the API: made from a ViewSet's action and where it is served."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rest_framework.serializers import BaseSerializer

from api.envelopes import VERSIONED_FAMILY, Envelope
from api.fields import StrictSerializer
from api.validation import NoQuery

# Under it stand operations that play an outside party: they are the sandbox's alone.
TEST_HELPERS = "/test-helpers/"
# What may be answered in the place of any operation.
_OF_EVERY_OPERATION = (
    "UNAUTHENTICATED",
    "INVALID_CREDENTIALS",
    "CREDENTIAL_EXPIRED",
    "SIGNATURE_INVALID",
    "REPLAY_DETECTED",
    "COMPLIANCE_BLOCKED",
    "IP_NOT_ALLOWED",
    "ENVIRONMENT_MISMATCH",
    "PRODUCT_NOT_ENABLED",
    "FORBIDDEN_SCOPE",
    "RATE_LIMITED",
    "VALIDATION_ERROR",
    "NOT_FOUND",
    "PROVIDER_UNAVAILABLE",
    "INTERNAL_ERROR",
)


@dataclass(frozen=True, eq=False)
class OperationExample:
    """One good call as the documentation shows it: the answer, the body, and names in the path."""

    answer: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation, as its ViewSet declares it. It drives checks, contract, pages and tests.

    `path` is relative to the API's root and may hold names in braces; under `TEST_HELPERS` it is
    served on the sandbox's root alone. `view` and `action` answer it. `answer` describes what it
    answers with `status`, or with one of `other_statuses`. `codes` are the errors it can answer
    beside those of every operation. `kind` is the class of the operation, which chooses its limit.
    `financial` requires an Idempotency-Key. `ask` names a method of the ViewSet that asks an
    outside party: it is called under a committed claim, and the action finds its outcome on the
    view. `envelope` wraps what it answers and refuses. `secret` says that an answer holds a secret:
    where it is kept for its Idempotency-Key, it is kept sealed. `of_provider` is for a list of what
    a provider offers: without one it is empty. `example` is what the documentation
    shows, and `summary` its title there.
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
    query: type[StrictSerializer] = NoQuery
    body: type[StrictSerializer] | None = None
    status: int = 200
    codes: tuple[str, ...] = ()
    financial: bool = False
    kind: str = "endpoint"
    ask: str = ""
    envelope: Envelope = VERSIONED_FAMILY
    other_statuses: tuple[int, ...] = ()
    secret: bool = False
    of_provider: bool = False
    example: OperationExample = field(default_factory=OperationExample)

    @cached_property
    def changes(self) -> bool:
        """Tell whether it may change something: then it honours an Idempotency-Key."""
        return self.method != "GET"

    @cached_property
    def is_test_helper(self) -> bool:
        """Tell whether it plays an outside party, and so is served in the sandbox alone."""
        return self.path.startswith(TEST_HELPERS)

    @property
    def example_path(self) -> str:
        """Return the path with the example's names in the place of its braces."""
        path = self.path
        for name, value in self.example.names.items():
            path = path.replace(f"{{{name}}}", value)
        return path

    @property
    def policies(self) -> tuple[str, str]:
        """Return the names of the limits that a call costs."""
        return "default", self.kind

    @property
    def every_code(self) -> frozenset[str]:
        """Return the codes that a call can be answered with."""
        codes = [*_OF_EVERY_OPERATION, *self.codes]
        if self.changes:
            codes += ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_IN_PROGRESS"]
        if self.financial:
            codes.append("IDEMPOTENCY_KEY_REQUIRED")
        return frozenset(codes)
