"""Render a template version with a business's facts to HTML.

Templates are trusted and facts are not: facts are never compiled and always escaped. Using a fact
that the template did not declare is an error.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from agreements.document_templates import facts_check
from agreements.document_templates.template_library import Template
from agreements.rendering import numbering
from console.core.money import grouped
from console.core.text import reads_leftward

# A name, and its form in its own script.
_IN_BRACKETS = re.compile(r"(?P<before>.+) \((?P<own>[^()]+)\)")
WRITER = "3"  # increase when the same template and facts would give different HTML


class WritingFailed(Exception):
    """Raised when the template and the facts do not match; the message says where."""


def compose(template: Template, facts: Mapping[str, Any]) -> bytes:
    """Return the whole document as HTML. The same version and facts give the same bytes."""
    root = numbered(template, fill(template, declared(template, facts)))
    body = ElementTree.tostring(root, encoding="unicode", method="html")
    return f"<!DOCTYPE html>\n{body}\n".encode()


def declared(template: Template, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the declared facts, so that no other fact can change the document."""
    values: dict[str, Any] = {}
    for path in template.facts:
        *groups, last = path.split(".")
        target = values
        for group in groups:
            target = target.setdefault(group, {})
        target[last] = facts_check.at(facts, path)
    return values


def fill(template: Template, values: Mapping[str, Any]) -> str:
    """Return the template with its values filled in, before clauses are numbered."""
    about = {
        "title": template.title,
        "code": template.code,
        "version": template.version,
        "issued": template.issued,
        "reference": template.reference,
    }
    try:
        return environment(template).get_template("body.html").render({**values, "paper": about})
    except (TemplateError, ValueError) as error:
        raise WritingFailed(f"{template.short_reference}: {error}") from error


def numbered(template: Template, text: str) -> ElementTree.Element:
    """Return the page as a tree, with numbered clauses."""
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - our own wording, values escaped
        numbering.number(root)
    except (ElementTree.ParseError, numbering.NumberingError) as error:
        raise WritingFailed(f"{template.short_reference}: {error}") from error
    return root


@lru_cache(maxsize=64)
def environment(template: Template) -> ImmutableSandboxedEnvironment:
    """Return a Jinja sandbox limited to this version's files and the filters in FILTERS."""
    sandbox = ImmutableSandboxedEnvironment(
        loader=DictLoader(
            {name: template.source(name) for name in ("body.html", "paper.html", "parts.html")}
        ),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=isolated,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sandbox.globals.clear()
    sandbox.tests.clear()
    sandbox.filters.clear()
    sandbox.filters.update(FILTERS)
    return sandbox


def isolated(value: Any) -> Any:
    """Wrap text with right-to-left letters in <bdi>, with the direction of its first letter.

    It then reorders no words around it, and the renderer, which does not guess directions, orders
    its own words as browsers do. A name in its own script, in brackets at the end, has its own.
    """
    if isinstance(value, Markup) or not isinstance(value, str) or not reads_leftward(value):
        return value
    direction, inner = _direction(value), _IN_BRACKETS.fullmatch(value)
    if inner and _direction(inner["own"]) != direction:
        parts = (inner["before"], isolated(inner["own"]))
        return Markup('<bdi dir="{}">{} ({})</bdi>').format(direction, *parts)
    return Markup('<bdi dir="{}">{}</bdi>').format(direction, value)


def _direction(text: str) -> str:
    classes = (unicodedata.bidirectional(c) for c in text)
    return "ltr" if next((c for c in classes if c in ("L", "R", "AL")), "R") == "L" else "rtl"


def day(value: str) -> str:
    """Format `2026-11-21` as `21 November 2026`."""
    return f"{(found := date.fromisoformat(value)).day} {MONTHS[found.month - 1]} {found.year}"


def listed(values: Sequence[str], word: str = "and") -> str:
    """Format `["a", "b", "c"]` as `a, b and c`."""
    *first, last = map(isolated, values)
    written: str = Markup(", ").join(first) + f" {word} " + last if first else last
    return written


def pick(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """Return one field of every row."""
    return [row[name] for row in rows]


# Do not use strftime: its month names depend on the locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FILTERS = {"day": day, "amount": grouped, "listed": listed, "pick": pick, "length": len}
