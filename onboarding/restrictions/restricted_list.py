"""The list of restricted countries and regions, in versions that are validated when read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, auto
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator
from pydantic.dataclasses import dataclass as typed

from console.publishing.files import STRICT, JsonFiles, VersionedFile
from onboarding.restrictions.spelling import normalised, skeletons

FOLDER = Path(__file__).parent / "data"
# A list without this country cannot be right (specification, section 1).
ALWAYS = "KP"
# The parts of an address that name a region. Streets may be named after any place.
_REGIONAL = ("state", "city", "postal_code")
# Optional where Cyrillic has a soft sign: `Donets'k`.
_APOSTROPHES = re.compile("['’‘ʼʹ`´]")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


class RestrictionScope(StrEnum):
    """How a place is used in an answer. An entry lists the uses it applies to."""

    INCORPORATION = auto()
    ADDRESS = auto()
    OPERATING = auto()
    RESIDENCE = auto()
    CORRIDOR = auto()
    BANK = auto()
    DATA_LOCATION = auto()
    DOWNSTREAM = auto()


class ListUnreadable(Exception):
    """The list cannot be read or is incomplete. Nothing may be accepted until it can."""


@dataclass(frozen=True)
class StatedPlace:
    """A country, with the region, city and postcode in it, as given in an answer."""

    country: str
    scope: RestrictionScope
    words: tuple[str, ...] = ()
    path: str = ""

    @classmethod
    def of_address(
        cls, address: Mapping[str, Any], scope: RestrictionScope, path: str = ""
    ) -> Self:
        """Return the place in an address, without its address lines."""
        words = tuple(str(address[part]) for part in _REGIONAL if part in address)
        return cls(str(address["country"]).strip(), scope, words, path)


# One text in several forms, each with a space around every word.
Spelled = tuple[str, ...]


def _scopes(said: Any) -> frozenset[RestrictionScope]:
    return frozenset(RestrictionScope if said == "all" else map(RestrictionScope, said))


@typed(frozen=True, config=STRICT, kw_only=True)
class RestrictedEntry:
    """One country (`KP`) or region (`UA-43`), the uses it applies to, and from when until when.

    `also` are its other names, and its towns. `postcodes` are the digits of its postcodes before
    the last three. `under` maps other countries that it may be stated under to names and postcodes
    there that identify a different place of the same name.
    """

    code: str
    name: str
    scopes: Annotated[frozenset[RestrictionScope], PlainValidator(_scopes)]
    basis: str
    since: date = Field(alias="from")
    until: date | None = None
    also: tuple[str, ...] = ()
    postcodes: frozenset[str] = frozenset()
    under: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @cached_property
    def _names(self) -> list[Spelled]:
        return [_spelled(name) for name in (self.code, self.name, *self.also)]

    def covers(self, place: StatedPlace, on: date) -> bool:
        if place.scope not in self.scopes or not self.is_in_force(on):
            return False
        country, _, region = self.code.partition("-")
        if place.country != country and place.country not in self.under:
            return False
        return not region or self._is_in_region(place)

    def _is_in_region(self, place: StatedPlace) -> bool:
        areas = {_postcode_area(word) for word in place.words}
        if areas & self.postcodes:
            return True
        words = [_spelled(word) for word in place.words]
        elsewhere = self.under.get(place.country, ())
        if areas.intersection(elsewhere) or _any_holds(words, map(_spelled, elsewhere)):
            return False
        return _any_holds(words, self._names)

    def is_in_force(self, on: date) -> bool:
        return self.since <= on and (self.until is None or on < self.until)


@typed(frozen=True, config=STRICT, kw_only=True)
class RestrictedList(VersionedFile):
    """One version of the list."""

    note: str = ""
    entries: tuple[RestrictedEntry, ...]

    def find(
        self, places: Iterable[StatedPlace], *, on: date
    ) -> list[tuple[StatedPlace, RestrictedEntry]]:
        """Return each place that is restricted on that day, with the entry that restricts it."""
        return [
            (place, entry) for place in places for entry in self.entries if entry.covers(place, on)
        ]

    def countries(self, *, on: date) -> frozenset[str]:
        """Return the codes of whole countries that are restricted on that day, for any use."""
        return frozenset(e.code for e in self.entries if "-" not in e.code and e.is_in_force(on))


def _faults_of(found: RestrictedList) -> Iterator[str]:
    codes = [entry.code for entry in found.entries]
    yield from (f"{code} is listed twice." for code in set(codes) if codes.count(code) > 1)
    for entry in found.entries:
        if not entry.scopes:
            yield f"{entry.code} has no use."
        if entry.until is not None and entry.until < entry.since:
            yield f"{entry.code} ends before it begins."
    if ALWAYS not in {entry.code for entry in found.entries if entry.until is None}:
        yield f"The list {found.version} does not hold {ALWAYS}."


LISTS = JsonFiles(
    "restricted_list",
    "Restricted countries",
    "onboarding.restricted-list.v1",
    RestrictedList,
    FOLDER,
    prefix="restricted-",
    faults=_faults_of,
)


def _spelled(text: str) -> Spelled:
    """Return the words of a text in every form in which names are compared."""
    bare = _APOSTROPHES.sub("", text)
    forms = (normalised(bare), *skeletons(bare))
    return tuple(f" {_BETWEEN_WORDS.sub(' ', form).strip()} " for form in forms)


def _any_holds(words: Iterable[Spelled], names: Iterable[Spelled]) -> bool:
    """Tell whether a text contains a name, as whole words in one of their forms."""
    pairs = product(words, names)
    return any(name in word for both in pairs for word, name in zip(*both, strict=True))


def _postcode_area(text: str) -> str:
    """Return the first digits of a Ukrainian or Russian postcode, or "" for any other text."""
    digits = "".join(re.findall("[0-9]", normalised(text)))
    return digits[:-3] if len(digits) in (5, 6) else ""
