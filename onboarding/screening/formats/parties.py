"""ListedParty: one entry as a publisher writes it, in the same form for every list."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, TextIO

from onboarding.screening.models import ListedType, NameKind

_STRONGEST_FIRST = list(NameKind)
_WIDEST_RANGE = 10
_LONGEST_LINE = 4 * 1024 * 1024


class UnusableList(Exception):
    """The file cannot replace the list in force. The message is for staff."""


def lines(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file. Raises UnusableList if one is too long to be an entry."""
    while line := file.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:
            raise UnusableList("The file contains a line of over 4 MB.")
        yield line


@dataclass(frozen=True)
class ListedParty:
    """An entry. The first of `names` is the primary name; no name occurs twice."""

    uid: str
    type: ListedType
    names: list[tuple[str, NameKind]]
    programme: str = ""
    birth_dates: list[str] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    identifiers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """The hash of the content, whatever the order in which it is written."""
        content = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()


def clean(text: str | None) -> str:
    """Return the text without control characters, line breaks and repeated spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in text or "").split())


def in_order(texts: Iterable[str]) -> list[str]:
    """Return each text once, sorted, without empty ones."""
    return sorted({one for one in map(clean, texts) if one})


def named(names: Iterable[tuple[str, NameKind]], uid: str) -> list[tuple[str, NameKind]]:
    """Return the names with the primary name first and the aliases sorted, or refuse the list."""
    found: dict[str, NameKind] = {}
    for name, kind in sorted(names, key=lambda pair: _STRONGEST_FIRST.index(pair[1])):
        if text := clean(name):
            found.setdefault(text, kind)
    if not found:
        raise UnusableList(f"The entry {uid or 'without a number'} has no name.")
    first, *others = found.items()
    return [(first[0], NameKind.PRIMARY), *sorted(others)]


def codes(countries: Iterable[str | None]) -> list[str]:
    """Return the ISO codes of countries, given by code or name; unknown ones are left out."""
    return in_order(_code(one or "") for one in countries)


@lru_cache(maxsize=2000)
def _code(country: str) -> str:
    from rigour.territories import lookup_territory  # large, and only imports need it

    found = lookup_territory(clean(country)) if clean(country) else None
    code = found.code.partition("-")[0].upper() if found else ""
    return code if len(code) == 2 else ""  # former countries have four letters


def identifier(kind: str | None, value: str | None, country: str = "") -> dict[str, str]:
    """Return an identifier, with its country where we know it."""
    found = {"kind": clean(kind), "value": clean(value)}
    return found | ({"country": code} if (code := _code(country)) else {})


def identified(identifiers: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Return each identifier that has a value once, sorted."""
    unique = {tuple(sorted(one.items())): one for one in identifiers if one["value"]}
    return [unique[key] for key in sorted(unique)]


def day_first(text: str) -> str:
    """Return 15/06/1961, dd/06/1961 or 00/00/1961 as an ISO date that is as precise, or ""."""
    found = re.fullmatch(r"(\w\w)/(\w\w)/(\d{4})", text.strip())
    return partial_date(found[3], found[2], found[1]) if found else ""


def partial_date(year: str | None, month: str | None = "", day: str | None = "") -> str:
    """Return an ISO date as precise as its parts, or "" without a plausible year."""
    numbers = [int(part) if part and part.isdecimal() else 0 for part in (year, month, day)]
    if not 1000 < numbers[0] < 3000:
        return ""
    try:
        return date(*numbers).isoformat()
    except ValueError:
        is_month = 1 <= numbers[1] <= 12
        return f"{numbers[0]}-{numbers[1]:02}" if is_month else str(numbers[0])


def years(first: str, last: str) -> Iterator[str]:
    """Yield every year of a short range, and only both ends of a long one."""
    low, high = int(first), int(last)
    yield from map(str, range(low, high + 1) if high - low <= _WIDEST_RANGE else (low, high))
