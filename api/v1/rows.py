"""The rows of the operation table that every resource has: its list, and one of it."""

from collections.abc import Mapping
from typing import Any

from api.gateway.operations import Operation
from api.gateway.pages import PageQuery
from api.v1 import examples
from api.v1.described import answer_of, page_of
from api.v1.resource import Resource


def listing_row(
    resource: Resource[Any],
    path: str,
    product: str,
    scope: str,
    many: str,
    example: Mapping[str, Any],
    query: type[PageQuery] = PageQuery,
) -> Operation:
    """Return the row that lists. `many` is the name for many of them."""
    return Operation(
        f"{_name(path)}.list",
        "GET",
        path,
        product=product,
        scope=scope,
        function=resource.page(f"List {many}, the newest first."),
        query=query,
        answer=page_of(resource.shape),
        example=examples.page_of(example),
        codes=_codes(resource),
    )


def reading_rows(
    resource: Resource[Any],
    path: str,
    product: str,
    scope: str,
    words: tuple[str, str],
    example: Mapping[str, Any],
    query: type[PageQuery] = PageQuery,
) -> list[Operation]:
    """Return the rows that list and read.

    `words` are its name for many and for one; `example` is what the documentation shows of it.
    """
    many, one = words
    return [
        listing_row(resource, path, product, scope, many, example, query),
        reading_row(resource, path, product, scope, one, example),
    ]


def reading_row(
    resource: Resource[Any],
    path: str,
    product: str,
    scope: str,
    word: str,
    example: Mapping[str, Any],
) -> Operation:
    """Return the row that reads one by its id."""
    return Operation(
        f"{_name(path)}.read",
        "GET",
        f"{path}/{{id}}",
        product=product,
        scope=scope,
        function=resource.read(f"Read one {word}."),
        answer=answer_of(resource.shape),
        example=examples.reading(example),
        codes=_codes(resource),
    )


def _name(path: str) -> str:
    return path.strip("/").replace("/", "_").replace("-", "_")


def _codes(resource: Resource[Any]) -> tuple[str, ...]:
    return ("NO_PROVIDER_ENABLED",) if resource.provided else ()
