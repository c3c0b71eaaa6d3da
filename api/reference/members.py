"""Descriptions of the fields of bodies, queries and responses, from the OpenAPI contract."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from api.problems import CODES

Schema = Mapping[str, Any]

_KINDS = {
    "string": ("text", "texts"),
    "integer": ("integer", "integers"),
    "number": ("number", "numbers"),
    "boolean": ("true or false", "true or false"),
    "object": ("object", "objects"),
}
_FORMATS = {
    "date-time": ("time (RFC 3339, UTC)", "times"),
    "date": ("date (YYYY-MM-DD)", "dates"),
    "uri": ("address", "addresses"),
}


@dataclass(frozen=True)
class DocumentedMember:
    """A field: `name` is its dotted path, `kind` and `limits` are text, `about` is HTML."""

    name: str
    kind: str
    limits: tuple[str, ...]
    choices: tuple[str, ...]
    required: bool
    about: SafeString


def of_parameters(
    parameters: Sequence[Schema], place: str, known: Mapping[str, Schema]
) -> list[DocumentedMember]:
    """Return the parameters of an operation that are in `path` or `query`."""
    return [
        _member(one["name"], one["schema"] | {"description": one.get("description", "")}, known,
                required=bool(one.get("required")))
        for one in parameters
        if one["in"] == place
    ]  # fmt: skip


def of_schema(schema: Schema, known: Mapping[str, Schema]) -> list[DocumentedMember]:
    """Return all fields of an object, each followed by its nested fields.

    `known` are the named schemas of the contract.
    """
    return list(_walk(schema, known, ""))


def marked(text: str) -> SafeString:
    """Return text as HTML, with `code` in backticks marked up and error codes linked."""
    parts = ((code(part) if at % 2 else part,) for at, part in enumerate(text.split("`")))
    return format_html_join("", "{}", parts)


def code(word: str) -> SafeString:
    """Return a word as code, linked if it is an error code."""
    said = format_html("<code>{}</code>", word)
    ours = CODES.get(word)
    return (
        format_html('<a href="{}">{}</a>', reverse("api:problem", args=[ours.slug]), said)
        if ours
        else said
    )


def _walk(schema: Schema, known: Mapping[str, Schema], above: str) -> Iterator[DocumentedMember]:
    shape = _resolved(schema, known)
    needed = shape.get("required", ())
    for name, inner in shape.get("properties", {}).items():
        yield _member(above + name, inner, known, required=name in needed)
        found = _resolved(inner, known)
        if "items" in found:
            yield from _walk(found["items"], known, f"{above}{name}[].")
        else:
            yield from _walk(found, known, f"{above}{name}.")


def _member(
    name: str, schema: Schema, known: Mapping[str, Schema], *, required: bool
) -> DocumentedMember:
    shape = _resolved(schema, known)
    items = _resolved(shape.get("items", {}), known)
    choices = shape.get("enum") or items.get("enum") or ()
    return DocumentedMember(
        name=name,
        kind=_kind(shape, items),
        limits=tuple(_limits(shape)),
        choices=tuple(str(one) for one in choices if one is not None),
        required=required,
        about=marked(shape.get("description", "")),
    )


def _resolved(schema: Schema, known: Mapping[str, Schema]) -> dict[str, Any]:
    """Return a schema with references resolved; its own description takes precedence."""
    if "discriminator" in schema:
        return _common(schema, known)
    found = dict(schema)
    parts = [*found.pop("allOf", ()), *found.pop("oneOf", ()), *found.pop("anyOf", ())]
    if "$ref" in found:
        parts.append(known[found.pop("$ref").rpartition("/")[2]])
    whole: dict[str, Any] = {}
    for part in parts:
        if part == {"type": "null"}:
            found["nullable"] = True
        else:
            whole = _joined(whole, _resolved(part, known))
    return _joined(whole, found)


def _joined(first: Schema, second: Schema) -> dict[str, Any]:
    """Return two schemas of one value as one; the second takes precedence."""
    joined: dict[str, Any] = {**first, **second}
    if "properties" in joined:
        joined["properties"] = {**first.get("properties", {}), **second.get("properties", {})}
        joined["required"] = [*first.get("required", ()), *second.get("required", ())]
    return joined


def _common(union: Schema, known: Mapping[str, Schema]) -> dict[str, Any]:
    """Return what the alternatives of a union share: of fields that differ, only their words."""
    shapes = [_resolved(one, known) for one in union["oneOf"]]
    properties = {}
    for name, field in shapes[0]["properties"].items():
        differs = any(one["properties"].get(name, field) != field for one in shapes)
        words = {key: field[key] for key in ("type", "description") if key in field}
        properties[name] = words if differs else field
    required = set.intersection(*(set(one["required"]) for one in shapes))
    return {"type": "object", "properties": properties, "required": required}


def _kind(shape: Schema, items: Schema) -> str:
    types = shape.get("type", "object")
    types = [types] if isinstance(types, str) else types
    main = next(one for one in types if one != "null")
    said = f"list of {_words(items)[1]}" if main == "array" else _words({**shape, "type": main})[0]
    return f"{said}, or null" if "null" in types or shape.get("nullable") else said


def _words(shape: Schema) -> tuple[str, str]:
    """Return the singular and plural name of a type."""
    if inside := shape.get("additionalProperties"):
        return f"object of {_words(inside)[1]}", f"objects of {_words(inside)[1]}"
    return _FORMATS.get(shape.get("format", "")) or _KINDS[shape.get("type", "object")]


def _limits(shape: Schema) -> Iterator[str]:
    if rule := shape.get("x-rule"):
        yield rule
    elif "maxLength" in shape:
        yield f"{shape.get('minLength', 0)} to {shape['maxLength']:,} characters"
    if "maximum" in shape:
        yield f"{shape.get('minimum', 0)} to {shape['maximum']:,}"
    if shape.get("default"):
        yield f"{shape['default']} by default"
