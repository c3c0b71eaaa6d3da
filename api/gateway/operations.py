"""What an operation is, what it is told of a call, and the table of all operations."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rest_framework.serializers import BaseSerializer

from api.gateway.envelopes import VERSIONED_FAMILY, Envelope
from api.gateway.fields import StrictSerializer
from api.gateway.problems import ApiProblem
from api.gateway.validation import NoQuery, QueryValidator, Validator
from api.rate_limits import LimitState
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business


@dataclass
class Call:
    """Who calls, in which environment, and what was sent.

    `key` is None where a person reads a page. `limits` are those that the call has spent a token
    of. Under an Idempotency-Key, `tries` counts the tries that found no provider, and `outcome` is
    what an outside party has answered.
    """

    environment: str
    operation: "Operation"
    grant: Grant
    key: ApiKey | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ip: str = ""
    version: str = ""
    limits: Sequence[LimitState] = ()
    idempotency_key: str = ""
    tries: int = 0
    outcome: Any = None

    @property
    def business(self) -> Business:
        return self.grant.business


@dataclass(slots=True)
class ApiAnswer:
    """What an operation answers, with the status of its row, or another that the row names."""

    body: dict[str, Any]
    headers: Sequence[tuple[str, str]] = ()
    status: int = 0


OperationFunction = Callable[[Call], ApiAnswer]
# Asks an outside party before anything is changed; what it returns is kept as JSON.
Asking = Callable[[Call], dict[str, Any]]
# Under it stand operations that play an outside party: they are the sandbox's alone (D-21).
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


@dataclass(frozen=True)
class Operation:
    """One row of the operation table; it drives addresses, validation, contract and tests.

    `path` is relative to the API's root and may hold names in braces; under `TEST_HELPERS` it is
    served on the sandbox's root alone. `function` is called with
    what `query` and `body` have validated, and its answer has the fields of `answer` and `status`.
    `codes` are the errors it can answer beside those of every operation. `kind` is the class of the
    operation, which chooses its limit. `financial` requires an Idempotency-Key. `ask` is for an
    operation that needs an outside party: it is asked under a committed claim, and `function` finds
    its outcome on the call. `envelope` wraps what it answers and refuses. `other_statuses` are
    those with which an answer of the same shape may come too. `secret` says that an answer holds a
    secret: where it is kept for its Idempotency-Key, it is kept sealed. `example` is what the
    documentation shows; the first sentence of `function` is its title there.
    """

    name: str
    method: str
    path: str
    product: str
    scope: str
    function: OperationFunction
    answer: type[BaseSerializer[object]]
    query: type[StrictSerializer] = NoQuery
    body: type[StrictSerializer] | None = None
    status: int = 200
    codes: tuple[str, ...] = ()
    kind: str = "endpoint"
    financial: bool = False
    ask: Asking | None = None
    envelope: Envelope = VERSIONED_FAMILY
    other_statuses: tuple[int, ...] = ()
    secret: bool = False
    example: OperationExample = field(default_factory=OperationExample)

    @property
    def summary(self) -> str:
        """Return what it does, in one sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

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

    @cached_property
    def _query(self) -> QueryValidator:
        return QueryValidator(self.query)

    @cached_property
    def _body(self) -> Validator | None:
        return Validator(self.body) if self.body else None

    def validate(self, call: Call, query: str) -> None:
        """Validate the query string and the body of a call, or raise the 422.

        An id with a NUL byte is that of nothing: the database would not even look for it.
        """
        if any("\0" in name for name in call.names.values()):
            raise ApiProblem("NOT_FOUND")
        call.parameters = self._query.query(query)
        if self._body is not None:
            call.body = self._body.body(call.body)

    def make_validators(self) -> None:
        """Make each serializer once, before any thread asks it."""
        assert self._query
        assert self._body or not self.body


class Table:
    """All operations, by path and method."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.operations = tuple(operations)
        for operation in self.operations:
            operation.make_validators()
        for path, methods in self.by_path.items():
            if len({operation.envelope for operation in methods.values()}) > 1:
                raise ValueError(f"{path} answers in two envelopes.")

    @cached_property
    def words(self) -> frozenset[str]:
        """The segments of all paths that stand for nothing but themselves."""
        segments = {part for one in self.operations for part in one.path.split("/")}
        return frozenset(part for part in segments if not part.startswith("{"))

    @cached_property
    def by_path(self) -> dict[str, dict[str, Operation]]:
        """The operations of each path, by their methods."""
        found: dict[str, dict[str, Operation]] = {}
        for operation in self.operations:
            found.setdefault(operation.path, {})[operation.method] = operation
        return found
