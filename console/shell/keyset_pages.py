"""Keyset pagination: each page starts after the last row of the previous one.

Every page takes the same time, however long the list is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.timezone import is_naive

SIZE = 25


@dataclass(frozen=True)
class KeysetPage:
    """One page of rows. `after` is the URL parameter of the next page, or "" on the last one."""

    rows: list[Any]
    after: str


def page_of(rows: "QuerySet[Any]", order: str, after: str, *, size: int = SIZE) -> KeysetPage:
    """Return the page after `after`, ordered by a column that is never null, then by the key.

    The column may be one of a related row (`business__name`) or an annotation. If `after` is
    invalid or no row follows it, return the first page.
    """
    page = _page(rows, order, after, size)
    return page if page.rows or not after else _page(rows, order, "", size)


def _page(rows: "QuerySet[Any]", order: str, after: str, size: int) -> KeysetPage:
    name, sign = order.removeprefix("-"), "-" if order.startswith("-") else ""
    if (position := read(rows, name, after)) is not None:
        value, pk = position
        past = "lt" if sign else "gt"
        rows = rows.filter(
            Q(**{f"{name}__{past}": value}) | Q(**{name: value, f"pk__{past}": pk}),
            **{f"{name}__{past}e": value},
        )
    found = list(rows.order_by(order, f"{sign}pk")[: size + 1])
    last = found[size - 1] if len(found) > size else None
    if last is None:
        return KeysetPage(found, "")
    return KeysetPage(found[:size], place(attrgetter(name.replace("__", "."))(last), last.pk))


def chunks(rows: "QuerySet[Any]", order: str, *, size: int = 500) -> Iterator[list[Any]]:
    """Yield the whole list in chunks, for streamed files."""
    after, begun = "", False
    while after or not begun:
        page = _page(rows, order, after, size)
        after, begun = page.after, True
        yield page.rows


def place(value: object, pk: int) -> str:
    """Return the position of a row in one URL parameter, which needs no escaping."""
    return f"{urlsafe_base64_encode(str(value).encode())}~{pk}"


def read(rows: "QuerySet[Any]", name: str, after: str) -> tuple[Any, int] | None:
    """Return a row's value of the column and its key, or None if `after` is malformed."""
    word, _, number = after.rpartition("~")
    if not (number.isdecimal() and len(number) < 19):  # must fit a bigint
        return None
    try:
        text = urlsafe_base64_decode(word).decode()
        value = _column(rows, name).to_python(text)
    except (ValueError, ValidationError):
        return None
    is_local = isinstance(value, datetime) and is_naive(value)
    return None if value is None or is_local or "\x00" in text else (value, int(number))


def _column(rows: "QuerySet[Any]", name: str) -> Any:
    if computed := rows.query.annotations.get(name):
        return computed.output_field
    *way, column = name.split("__")
    model: Any = rows.model
    for step in way:
        model = model._meta.get_field(step).related_model
    return model._meta.get_field(column)
