"""Report the errors of serializers in our own words, each with a JSON pointer.

A table maps REST framework's error codes to our published codes and sentences, which never repeat
input.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import Field

from api.fields import WHOLE, StrictSerializer, by_member
from api.problem_reasons import REASONS, RESTRICTED
from api.problems import ApiProblem, Fault, invalid, unreadable

Shape = Field[Any, Any, Any, Any]

_MOST_PARAMETERS = 60
_MOST_FAULTS = 20
_LONGEST_NAME = 40

# REST framework's code, then ours, and the sentence, which may depend on the field.
_OURS: dict[str, tuple[str, str | Callable[[Any], str]]] = {
    "required": ("missing", "This field is required."),
    "null": ("is_null", "This field cannot be null."),
    "blank": ("too_short", "This field cannot be empty."),
    "empty": ("too_short", "Send at least one item."),
    "invalid": ("wrong_shape", "This value has the wrong format."),
    "invalid_choice": ("unknown_value", "Send one of the allowed values."),
    "not_a_list": ("wrong_type", "Send a list."),
    "not_a_dict": ("wrong_type", "Send an object."),
    "max_length": ("too_long", lambda field: f"Send at most {field.max_length}."),
    "min_length": ("too_short", lambda field: f"Send at least {field.min_length}."),
    "unknown_member": ("unknown_member", "This operation does not have this field."),
    "unknown_parameter": ("unknown_parameter", "This operation does not have this parameter."),
    "repeated": ("repeated", "Send this parameter only once."),
}


class QuerySerializer(StrictSerializer):
    """A query string's parameters; only lists may appear more than once. None, unless declared."""

    unknown = "unknown_parameter"
    # The models of the objects that parameters name by ID. See `ResourceViewSet.filter_queryset`.
    related: ClassVar[Mapping[str, Any]] = {}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        lists = {n for n, f in self.fields.items() if isinstance(f, serializers.ListField)}
        values: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        for name, value in _pairs(data):
            if name in lists:
                values.setdefault(name, []).append(value)
            elif name in values and name in self.fields:
                errors[name] = [ErrorDetail("", "repeated")]
            else:
                values[name] = value
        try:
            found = super().to_internal_value(values)
        except serializers.ValidationError as error:
            errors = by_member(error) | errors
        if errors:
            raise serializers.ValidationError(errors)
        return found


def problem_of(error: serializers.ValidationError) -> ApiProblem:
    """Return the 422 of a serializer's errors, or the refusal of a restricted place."""
    faults = list(_faults(error.detail, getattr(error, "serializer", None), ""))
    # It cannot be corrected, so it is reported alone.
    if blocked := [fault for fault in faults if fault.code == RESTRICTED]:
        said = REASONS["COMPLIANCE_BLOCKED"][RESTRICTED]
        return ApiProblem("COMPLIANCE_BLOCKED", said, errors=blocked, reason=RESTRICTED)
    return invalid(*faults[:_MOST_FAULTS])


def _pairs(query: str) -> list[tuple[str, str]]:
    if not query:
        return []
    try:
        return parse_qsl(
            query, keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS
        )
    except ValueError:
        detail = f"Send at most {_MOST_PARAMETERS} parameters, percent-encoded as UTF-8."
        raise unreadable("/query", "unreadable", detail) from None


def _faults(found: Any, field: Shape | None, pointer: str) -> Iterator[Fault]:
    """Yield the errors of a field and of everything in it."""
    if isinstance(found, list) and not all(isinstance(one, ErrorDetail) for one in found):
        # REST framework gives a list of objects one entry per object, empty if it is valid.
        found = {number: inner for number, inner in enumerate(found) if inner}
    if isinstance(found, dict):
        for name, inner in found.items():
            if name == WHOLE:
                yield from _faults(inner, field, pointer)
                continue
            below, known = f"{pointer}/{_escaped(name)}", _inside(field, name)
            if known is None and isinstance(field, serializers.Serializer):
                code, said = _OURS[inner[0].code]
                yield Fault(below, code, str(said), list(field.fields))
            else:
                yield from _faults(inner, known, below)
        return
    for error in found:
        code, sentence = _OURS.get(error.code, (error.code, str(error)))
        said = sentence if isinstance(sentence, str) else sentence(field)
        allowed = getattr(field, "choices", ()) if error.code == "invalid_choice" else ()
        yield Fault(pointer, code, said, [str(choice) for choice in allowed])


def _inside(field: Shape | None, name: Any) -> Shape | None:
    if isinstance(field, serializers.Serializer):
        return field.fields.get(name)
    return getattr(field, "child", None)


def _escaped(name: Any) -> str:
    """Escape a name for a JSON pointer (RFC 6901), short and printable."""
    short = str(name)[:_LONGEST_NAME].replace("~", "~0").replace("/", "~1")
    return "".join(c if c.isprintable() else "?" for c in short)
