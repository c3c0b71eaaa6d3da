"""What an operation is, and the table that finds one by method and path."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from api.gateway.calls import ApiAnswer, Call

OperationFunction = Callable[[Call], ApiAnswer]


@dataclass(frozen=True)
class Operation:
    """One row of the operation table; it drives the gate, the routes and the tests.

    `path` is relative to the API's root and may hold names in braces. `kind` is the class of the
    operation, which chooses its limit. `financial` asks for an Idempotency-Key and for a check of
    the key that trusts no cache.
    """

    name: str
    method: str
    path: str
    product: str
    scope: str
    view: OperationFunction
    answer: Any
    kind: str = "endpoint"
    financial: bool = False

    @property
    def policies(self) -> tuple[str, str]:
        """Return the names of the limits that a call costs."""
        return "default", self.kind

    @property
    def reads_body(self) -> bool:
        return self.method in {"POST", "PUT", "PATCH"}


class Table:
    """Operations by path and method. Paths without names are one dictionary look-up."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.operations = tuple(operations)
        self._fixed: dict[str, dict[str, Operation]] = {}
        self._named: dict[int, list[tuple[list[str], dict[str, Operation]]]] = {}
        for operation in self.operations:
            self._place(operation)

    def find(self, path: str) -> tuple[dict[str, Operation], dict[str, str]] | None:
        """Return a path's methods and what its names stand for; None when nothing is there."""
        if methods := self._fixed.get(path):
            return methods, {}
        parts = path.split("/")
        for pattern, methods in self._named.get(len(parts), ()):
            if (names := _fit(pattern, parts)) is not None:
                return methods, names
        return None

    def _place(self, operation: Operation) -> None:
        if "{" not in operation.path:
            self._fixed.setdefault(operation.path, {})[operation.method] = operation
            return
        pattern = operation.path.split("/")
        rows = self._named.setdefault(len(pattern), [])
        for known, methods in rows:
            if known == pattern:
                methods[operation.method] = operation
                return
        rows.append((pattern, {operation.method: operation}))


def _fit(pattern: list[str], parts: list[str]) -> dict[str, str] | None:
    names = {}
    for want, have in zip(pattern, parts, strict=True):
        if want.startswith("{"):
            if not have:
                return None
            names[want[1:-1]] = have
        elif want != have:
            return None
    return names
