"""Validate facts against their schema before anything is rendered from them."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin, is_typeddict

from agreements.document_templates import document_fonts
from agreements.document_templates.facts_schema import DocumentFacts, PackFacts, ProductFacts
from onboarding.questionnaire import fact_sources
from onboarding.questionnaire.document_facts import PlaceFacts


class FactsError(Exception):
    """Raised when a fact is missing, unknown or of the wrong type; the message names the fact."""


PATTERNS = {
    "amount": re.compile(r"\d{1,18}(\.\d{1,8})?"),
    "amount or nothing": re.compile(r"(\d{1,18}(\.\d{1,8})?)?"),
    "day": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "country": re.compile(r"[A-Z]{2}"),
    "currency": re.compile(r"[A-Z]{3,5}"),
    "text": re.compile(r"\S(.*\S)?"),
    "maybe": re.compile(r"(\S(.*\S)?)?"),
}
EXAMPLES = {
    "amount": 'a decimal number in quotation marks such as "1250.00"',
    "amount or nothing": 'a decimal number in quotation marks such as "1.40", or nothing',
    "day": 'a day such as "2026-11-21"',
    "country": 'a country code such as "NG"',
    "currency": 'a currency code such as "NGN"',
    "text": "one line of text, without spaces around it",
    "maybe": "one line of text, without spaces around it, or nothing",
}
LONGEST = 401  # the longest town and the longest postal code together
DECEIVING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def check(facts: object) -> PackFacts:
    """Return the facts, or raise a FactsError that lists every problem."""
    if wrong := list(problems(facts, PackFacts, "facts")):
        raise FactsError("; ".join(wrong))
    return facts  # type: ignore[return-value]


def problems(value: object, kind: Any, path: str) -> Iterator[str]:
    """Yield one sentence for each way in which the value does not match the type."""
    if is_typeddict(kind):
        yield from _record(value, kind, path)
    elif get_origin(kind) is list:
        yield from _list(value, get_args(kind)[0], path)
    elif get_origin(kind) is Literal:
        if value not in get_args(kind) or not isinstance(value, str):
            yield f"{path} must be one of {', '.join(get_args(kind))}"
    elif get_origin(kind) is Annotated:
        yield from _text(value, kind.__metadata__[0], path)
    elif type(value) is not kind or (kind is int and not 0 <= value < 2**53):  # type: ignore[operator]
        yield f"{path} must be {'yes or no' if kind is bool else 'a whole number, not below 0'}"


def _record(value: object, kind: Any, path: str) -> Iterator[str]:
    if type(value) is not dict:
        yield f"{path} must be a group of facts"
        return
    kinds = fact_sources.kinds(kind)
    for name in sorted(kinds.keys() - value.keys()):
        yield f"{path}.{name} is missing"
    for name in sorted(map(str, value.keys() - kinds.keys())):
        yield f"{path}.{name} is not a fact that documents know"
    for name in kinds.keys() & value.keys():
        yield from problems(value[name], kinds[name], f"{path}.{name}")


def _list(value: object, kind: Any, path: str) -> Iterator[str]:
    if type(value) is not list:
        yield f"{path} must be a list"
        return
    for position, item in enumerate(value):
        yield from problems(item, kind, f"{path}[{position}]")


def _text(value: object, pattern: str, path: str) -> Iterator[str]:
    if not isinstance(value, str) or not PATTERNS[pattern].fullmatch(value):
        yield f"{path} must be {EXAMPLES[pattern]}"
    elif len(value) > LONGEST:
        yield f"{path} must have at most {LONGEST} characters"
    elif deceiving := _deceiving(value):
        yield f"{path} holds a character that cannot be seen: U+{ord(deceiving[0]):04X}"
    elif not unicodedata.is_normalized("NFC", value):
        yield f"{path} is not in Unicode normal form C"


def unsettable(text: str) -> str:
    """Return the characters that documents refuse or have no glyph for, in order."""
    refused = {*_deceiving(text), *document_fonts.unprintable(text)}
    return "".join(c for c in dict.fromkeys(text) if c in refused)


def _deceiving(text: str) -> list[str]:
    return [
        c for c in text if unicodedata.category(c) in DECEIVING and c not in document_fonts.JOINERS
    ]


def kind_at(path: str) -> Any:
    """Return the type of one fact, such as `business.legal_name` or `products`."""
    kind: Any = DocumentFacts
    for name in path.split("."):
        kinds = fact_sources.kinds(kind) if is_typeddict(kind) else {}
        if name not in kinds:
            raise FactsError(f"{path} is not a fact that documents know")
        kind = kinds[name]
    return kind


def kind_name(path: str) -> str:
    """Return the type of one fact in words, as `schema.json` writes it."""
    return _in_words(kind_at(path))


# Names of these types in published schemas, which the template locks fix.
_PUBLISHED_NAMES: dict[Any, str] = {
    bool: "yes or no",
    int: "whole number",
    PlaceFacts: "Place",
    ProductFacts: "Product",
}


def _in_words(kind: Any) -> str:
    if get_origin(kind) is list:
        return f"list of {_in_words(get_args(kind)[0])}"
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) is Annotated:
        return str(kind.__metadata__[0])
    return _PUBLISHED_NAMES.get(kind, str(kind.__name__))


def at(facts: Any, path: str) -> Any:
    """Return the value of one fact. Raises FactsError if it is invalid."""
    value = facts
    for name in path.split("."):
        if type(value) is not dict or name not in value:
            raise FactsError(f"{path} is missing")
        value = value[name]
    if wrong := list(problems(value, kind_at(path), path)):
        raise FactsError("; ".join(wrong))
    return value
