"""Operations as the documentation shows them, grouped by product."""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from django.urls import reverse

from api.operations import Operation
from api.problems import CODES, Code
from api.providers import connected
from api.reference import members, openapi, sample_calls, walkthroughs
from api.reference.members import DocumentedMember
from api.reference.openapi_components import resolved
from api.reference.sample_calls import SampleCall
from api.reference.walkthroughs import SampleVariable
from api.renderers import ResultRenderer
from api.v1.router import OPERATIONS
from console.catalogue.definitions import PRODUCTS, Product

# The first call to try, which shows whether everything works.
FIRST = OPERATIONS[0]


@dataclass(frozen=True)
class DocumentedOperation:
    """An operation with its documentation; `key_id` is the reader's key, used in the examples."""

    row: Operation
    key_id: str = ""

    @property
    def anchor(self) -> str:
        return self.row.name.replace(".", "-")

    @property
    def said(self) -> str:
        """Return the operation's method and path."""
        return f"{self.row.method} {self.row.path}"

    @property
    def is_test_helper(self) -> bool:
        return self.row.is_test_helper

    @property
    def address(self) -> str:
        """Return the URL of its documentation."""
        return f"{reverse('api:product', args=[self.row.product])}#{self.anchor}"

    @property
    def codes(self) -> list[Code]:
        """Return the possible error codes, in the order of the table of codes."""
        return [code for name, code in CODES.items() if name in self.row.every_code]

    @property
    def path_members(self) -> list[DocumentedMember]:
        return members.of_parameters(self._parameters, "path", _schemas())

    @property
    def query(self) -> list[DocumentedMember]:
        return members.of_parameters(self._parameters, "query", _schemas())

    @property
    def body(self) -> list[DocumentedMember]:
        taken = self._contract.get("requestBody")
        return _of_content(taken["content"]) if taken else []

    @property
    def answer(self) -> list[DocumentedMember]:
        answered = self._contract["responses"][str(self.row.status)]
        return _of_content(answered["content"]) if "content" in answered else []

    @property
    def samples(self) -> list[SampleCall]:
        return sample_calls.samples(self.row, self.key_id)

    @property
    def needs(self) -> list[tuple[SampleVariable, "DocumentedOperation"]]:
        """Return the variables in the samples, each with the operation that returns its value."""
        variables = walkthroughs.needed_by(self.row).values()
        return [(one, DocumentedOperation(one.operation)) for one in variables]

    @property
    def answer_example(self) -> str:
        return json_text(self.row.example.answer)

    @property
    def _parameters(self) -> list[dict[str, Any]]:
        return [resolved(contract(), one) for one in self._contract["parameters"]]

    @cached_property
    def _contract(self) -> dict[str, Any]:
        found: dict[str, Any] = contract()["paths"][self.row.path][self.row.method.lower()]
        return found


@dataclass(frozen=True)
class DocumentedProduct:
    """A product and its operations."""

    product: Product
    operations: tuple[DocumentedOperation, ...]

    @property
    def steps(self) -> list[tuple[DocumentedOperation, str]]:
        """Return the calls in an order that works, each with the JSON of its changed fields."""
        return [
            (DocumentedOperation(step.operation), json.dumps(step.changed) if step.changed else "")
            for step in walkthroughs.of_product(self.product.key)
        ]


def by_product(key_id: str = "") -> list[DocumentedProduct]:
    """Return every product that has operations, in catalogue order.

    Operations are in the order of the product's walk-through.
    """
    found = {
        key: tuple(DocumentedOperation(row, key_id) for row in _in_order(key)) for key in PRODUCTS
    }
    return [DocumentedProduct(PRODUCTS[key], rows) for key, rows in found.items() if rows]


def _in_order(product: str) -> list[Operation]:
    order = [step.operation.name for step in walkthroughs.of_product(product)]
    rows = [row for row in OPERATIONS if row.product == product]
    return sorted(rows, key=lambda row: order.index(row.name) if row.name in order else len(order))


def of_call(method: str, path: str) -> DocumentedOperation | None:
    """Return the operation of a logged call, or None. `path` has parameters in braces."""
    rows = OPERATIONS
    found = (DocumentedOperation(row) for row in rows if (row.method, row.path) == (method, path))
    return next(found, None)


def unserved(environment: str) -> frozenset[str]:
    """Return the products with operations that return NO_PROVIDER_ENABLED in an environment."""
    return frozenset(
        one.product
        for one in OPERATIONS
        if ("NO_PROVIDER_ENABLED" in one.codes or one.of_provider)
        and not connected.serves(environment, one.product)
    )


def of_scope(scope: str) -> list[DocumentedOperation]:
    """Return the operations that a scope allows."""
    return [DocumentedOperation(row) for row in OPERATIONS if row.scope == scope]


def of_code(code: Code) -> list[DocumentedOperation]:
    """Return the operations that can return a code."""
    return [DocumentedOperation(row) for row in OPERATIONS if code.name in row.every_code]


def of_second_family() -> list[DocumentedOperation]:
    """Return the operations with the second family's envelope."""
    rows = (row for row in OPERATIONS if row.renderer is ResultRenderer)
    return [DocumentedOperation(row) for row in rows]


def test_helpers() -> list[DocumentedOperation]:
    """Return the operations that only the sandbox has."""
    return [DocumentedOperation(row) for row in OPERATIONS if row.is_test_helper]


def json_text(value: object) -> str:
    """Return indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def _of_content(content: dict[str, Any]) -> list[DocumentedMember]:
    (shape,) = (one["schema"] for one in content.values())
    found = members.of_schema(shape, _schemas())
    # Only the response itself has the ID of the call, not the objects in it.
    return [one for one in found if not one.name.endswith(".request_id")]


def _schemas() -> dict[str, Any]:
    found: dict[str, Any] = contract()["components"]["schemas"]
    return found


@cache
def contract() -> dict[str, Any]:
    """Return the parsed OpenAPI contract."""
    found: dict[str, Any] = json.loads(openapi.document())
    return found
