"""API responses as pages show them: each field formatted by its serializer field.

Values can contain untrusted input. They are returned as plain text, which templates escape.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString
from rest_framework import serializers

from api.reference.members import marked
from api.serializers import SentAmountField, StatusField
from api.v1.words import title_of
from console.core.money import grouped
from console.core.status_table import Tone
from console.shell import tones

Row = Mapping[str, Any]
# Returns the URL of the object that a field names by ID, or "".
LinkTo = Callable[[str, str], str]
# Already clear from the page and its title, so not shown again.
_KNOWN = ("object", "environment", "request_id")
_FIRST = ("id", "status")
_MOST_COLUMNS = 8
_NESTED = (
    serializers.BaseSerializer,
    serializers.ListField,
    serializers.DictField,
)


@dataclass(frozen=True)
class ShownValue:
    """A value to show. `kind` determines the formatting and which other attributes are set."""

    kind: str
    text: str = ""
    tone: Tone = "neutral"
    at: datetime | None = None
    url: str = ""
    members: tuple["ShownMember", ...] = ()
    values: tuple["ShownValue", ...] = ()

    @property
    def icon(self) -> str:
        return tones.ICONS[self.tone]

    @property
    def rows(self) -> list[tuple["ShownMember", ...]]:
        """The rows of a table, if it is a list of objects."""
        is_table = self.kind == "list" and all(one.kind == "members" for one in self.values)
        return [one.members for one in self.values] if is_table else []


@dataclass(frozen=True)
class ShownMember:
    """A field with its label, value and, if documented, description."""

    label: str
    value: ShownValue
    about: SafeString = field(default_factory=SafeString)


@dataclass(frozen=True)
class ShownColumn:
    """A column of a list. `is_number` aligns its cells to the end."""

    name: str
    label: str
    about: SafeString
    is_number: bool


NOTHING = ShownValue("nothing")


def columns(
    fields: Mapping[str, Any], *, with_pages: bool, chosen: Sequence[str] = ()
) -> list[ShownColumn]:
    """Return the columns of a list: those `chosen`, or the first if rows have their own pages."""
    names = list(chosen) or _first_names(fields, with_pages=with_pages)
    said = {one.of for one in fields.values() if isinstance(one, SentAmountField)}
    names = names[:1] + [name for name in names[1:] if name not in said]
    return [
        ShownColumn(name, title_of(name), _about(fields[name]), _is_number(fields[name]))
        for name in names
    ]


def _first_names(fields: Mapping[str, Any], *, with_pages: bool) -> list[str]:
    names = sorted(_names(fields), key=lambda name: _FIRST.index(name) if name in _FIRST else 9)
    if with_pages:
        names = [name for name in names if not isinstance(fields[name], _NESTED)]
        last = ["created_at"] if "created_at" in names else []
        names = [name for name in names if name not in last][: _MOST_COLUMNS - len(last)] + last
    else:
        names = [name for name in names if name != "metadata"]
    return names


def cells(
    found: list[ShownColumn], fields: Mapping[str, Any], row: Row, link: LinkTo
) -> list[tuple[ShownColumn, ShownValue]]:
    """Return a row of a list: the value of each column."""
    return [(one, _value(one.name, fields[one.name], row, link)) for one in found]


def members(fields: Mapping[str, Any], row: Row, link: LinkTo) -> tuple[ShownMember, ...]:
    """Return the fields present in an object, in serializer order."""
    return tuple(
        ShownMember(title_of(name), _value(name, fields[name], row, link), _about(fields[name]))
        for name in _names(fields)
        if name in row
    )


def _names(fields: Mapping[str, Any]) -> list[str]:
    return [name for name in fields if name not in _KNOWN]


def _value(name: str, described: Any, row: Row, link: LinkTo) -> ShownValue:
    value = row.get(name)
    if value is None or value == "":
        return NOTHING
    if isinstance(described, SentAmountField):
        return ShownValue("amount", _amount(value, row.get(described.of, "")))
    if name == "id" or name.endswith("_id"):
        return ShownValue("code", value, url=link(name, value))
    if isinstance(described, serializers.ListSerializer):
        return _list([_object(described.child, one, link) for one in value])
    if isinstance(described, serializers.Serializer):
        return _object(described, value, link)
    write = next((write for kind, write in _WRITTEN.items() if isinstance(described, kind)), None)
    return write(described, value) if write else _plain(value)


def _object(described: Any, row: Row, link: LinkTo) -> ShownValue:
    return ShownValue("members", members=members(described.fields, row, link))


def _status(described: StatusField, value: str) -> ShownValue:
    return ShownValue("status", title_of(value), described.rows[value].tone)


def _moment(_: Any, value: str) -> ShownValue:
    return ShownValue("moment", at=datetime.fromisoformat(value))


def _choice(_: Any, value: str) -> ShownValue:
    """Format an API word for a page. Words with capitals are codes, such as NGN: keep them."""
    return ShownValue("text", title_of(value) if value.islower() else value)


_WRITTEN: dict[type, Callable[[Any, Any], ShownValue]] = {
    StatusField: _status,
    serializers.DateTimeField: _moment,
    serializers.ChoiceField: _choice,
}


def _plain(value: Any) -> ShownValue:
    """Return a value formatted only by its type, without a serializer field."""
    if isinstance(value, dict):
        said = (ShownMember(str(name), _plain(one)) for name, one in value.items())
        return ShownValue("members", members=tuple(said)) if value else NOTHING
    if isinstance(value, list | tuple):
        return _list([_plain(one) for one in value])
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return ShownValue("text", "Yes" if value else "No")
    return ShownValue("text", str(value))


def _list(values: list[ShownValue]) -> ShownValue:
    return ShownValue("list", values=tuple(values)) if values else NOTHING


def _amount(decimal: str, currency: str) -> str:
    sign, digits = ("−", decimal[1:]) if decimal.startswith("-") else ("", decimal)
    return f"{sign}{grouped(digits)} {currency}".strip()


def _about(described: Any) -> SafeString:
    return marked(str(described.help_text or ""))


def _is_number(described: Any) -> bool:
    return isinstance(described, SentAmountField | serializers.IntegerField)
