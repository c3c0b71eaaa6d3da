"""Filters of a list page: the query parameters of its operation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.safestring import SafeString
from rest_framework import serializers

from api.operations import Operation
from api.reference.members import marked
from api.v1.shared_fields import DayField, MomentField
from api.v1.words import title_of

_OF_THE_PAGE = ("cursor", "limit")
_KINDS: dict[type, str] = {DayField: "date", MomentField: "datetime-local"}
_OF_A_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII).fullmatch


@dataclass(frozen=True)
class ModuleFilter:
    """A filter: its choices, if any, and its current value."""

    name: str
    label: str
    about: SafeString
    choices: tuple[str, ...]
    values: tuple[str, ...]
    # The type of its input.
    kind: str
    longest: int


def of_listing(listing: Operation, asked: QueryDict) -> list[ModuleFilter]:
    """Return the filters of a list with their current values."""
    found = _fields(listing).items()
    return [_filter(name, field, asked) for name, field in found if name not in _OF_THE_PAGE]


def query_of(listing: Operation, asked: QueryDict) -> str:
    """Return the query in the API's format, without empty filters."""
    names = _fields(listing)
    return urlencode([(n, _zoned(names[n], v)) for n in names for v in asked.getlist(n) if v])


def _zoned(field: Any, value: str) -> str:
    """Return a time of a form, which is UTC without saying so, as the API takes it."""
    return f"{value}:00Z" if isinstance(field, MomentField) and _OF_A_FORM(value) else value


def _filter(name: str, field: Any, asked: QueryDict) -> ModuleFilter:
    inner = field.child if isinstance(field, serializers.ListField) else field
    return ModuleFilter(
        name=name,
        label=title_of(name),
        about=marked(str(field.help_text or "")),
        choices=tuple(str(one) for one in getattr(inner, "choices", ())),
        values=tuple(v for v in asked.getlist(name) if v) or tuple(_unasked(field)),
        kind=next((kind for one, kind in _KINDS.items() if isinstance(inner, one)), "text"),
        longest=getattr(inner, "max_length", None) or 100,
    )


def _unasked(field: Any) -> Iterator[str]:
    """Yield the default values of missing parameters, so that the page shows them."""
    if isinstance(field.default, str):
        yield field.default


def _fields(listing: Operation) -> dict[str, Any]:
    return {str(name): field for name, field in listing.query().fields.items()}
