"""The resources that each product's module shows, derived from the API's GET operations."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rest_framework import serializers

from api.operations import Operation
from api.v1.router import OPERATIONS
from api.v1.words import title_of
from console.catalogue.definitions import PRODUCTS

_ID = "/{id}"
# Describes the calling key, and a person on a page has none.
_OF_A_KEY = ("me.read",)
Members = dict[str, "serializers.Field[Any, Any, Any, Any]"]


@dataclass(frozen=True)
class ModuleResource:
    """A resource at one API path.

    `listing` lists its objects, and `reading` reads one by ID, or without an ID if there is only
    one. `parts` list what belongs to an object. `making` creates one, if the API can. `word` is the
    value of `object` in the API.
    """

    product: str
    path: str
    listing: Operation | None
    reading: Operation | None
    parts: tuple[Operation, ...]
    making: Operation | None
    word: str

    @property
    def key(self) -> str:
        """Return its part of the page's URL."""
        return self.path.strip("/").replace("/", "-")

    @property
    def name(self) -> str:
        return title_of(self.path.rpartition("/")[2].replace("-", "_"))

    @property
    def one(self) -> str:
        """Return the name of one object."""
        return title_of(self.word)

    @property
    def prefix(self) -> str:
        """Return the prefix of its objects' IDs, or "" if they have no pages."""
        named = self.reading.example.names.get("id", "") if self.reading else ""
        return named.partition("_")[0]

    @property
    def is_single(self) -> bool:
        """Tell whether there is exactly one object, read without an ID."""
        return self.reading is not None and _ID not in self.reading.path

    @property
    def has_rows_of_their_own(self) -> bool:
        """Tell whether each object has its own page."""
        return self.reading is not None and not self.is_single


def members_of(operation: Operation) -> Members:
    """Return the fields of an operation's response; for a list, those of a row."""
    fields: Members = {str(name): field for name, field in operation.answer().fields.items()}  # type: ignore[attr-defined]
    rows = fields.get("data")
    if isinstance(rows, serializers.ListSerializer):
        inner: Any = rows.child
        return {str(name): field for name, field in inner.fields.items()}
    return fields


@cache
def of_product(product: str) -> tuple[ModuleResource, ...]:
    """Return a product's resources, those with lists first."""
    reading = [row for row in _reading() if row.product == product]
    paths = dict.fromkeys(row.path.partition(_ID)[0] for row in reading)
    found = [_resource(path, reading) for path in paths]
    return tuple(sorted(found, key=lambda one: one.listing is None))


@cache
def of_word(word: str) -> ModuleResource | None:
    """Return the resource, of any product, whose objects have this type and are read by ID."""
    products = dict.fromkeys(row.product for row in _reading())
    found = (one for product in products for one in of_product(product))
    return next((one for one in found if one.word == word and one.has_rows_of_their_own), None)


@cache
def of_prefix(prefix: str) -> ModuleResource | None:
    """Return the resource, of any product, whose objects have IDs with this prefix."""
    found = (one for product in PRODUCTS for one in of_product(product))
    return next((one for one in found if one.prefix == prefix), None)


def _reading() -> Iterator[Operation]:
    return (row for row in OPERATIONS if row.method == "GET" and row.name not in _OF_A_KEY)


def _resource(path: str, rows: list[Operation]) -> ModuleResource:
    at = {row.path: row for row in rows}
    here = at.get(path)
    lists = here is not None and "data" in here.answer().fields  # type: ignore[attr-defined]
    listing = here if lists else None
    reading = at.get(path + _ID) if lists or here is None else here
    read = listing or reading
    assert read is not None, path
    word = _word(read)
    return ModuleResource(
        product=read.product,
        path=path,
        listing=listing,
        reading=reading,
        parts=tuple(row for row in rows if row.path.startswith(f"{path}{_ID}/")),
        making=next(
            (row for row in OPERATIONS if row.method == "POST" and _word(row) == word), None
        ),
        word=word,
    )


def _word(operation: Operation) -> str:
    """Return the `object` value of an operation's response or of its rows."""
    field = members_of(operation).get("object")
    return next(iter(getattr(field, "choices", ())), "")
