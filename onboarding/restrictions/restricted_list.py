"""The restricted countries and regions: a dated list, read or refused, never guessed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum, auto
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PlainValidator
from pydantic.dataclasses import dataclass as typed

from console.publishing.files import STRICT, FileFault, JsonFiles, VersionedFile
from onboarding.restrictions.spelling import spellings

FOLDER = Path(__file__).parent / "data"
# A list without this country cannot be the right list (specification, section 1).
ALWAYS = "KP"


class RestrictionScope(StrEnum):
    """In what way a place appears in an answer; an entry says in which of them it counts."""

    INCORPORATION = auto()
    ADDRESS = auto()
    OPERATING = auto()
    RESIDENCE = auto()
    CORRIDOR = auto()
    BANK = auto()
    DATA_LOCATION = auto()
    DOWNSTREAM = auto()


class ListUnreadable(Exception):
    """The list cannot be read or is not whole. Nothing may pass until it can."""


@dataclass(frozen=True)
class StatedPlace:
    """A country, and the words of an address inside it, as an answer gives them."""

    country: str
    scope: RestrictionScope
    words: tuple[str, ...] = ()
    path: str = ""


def _scopes(said: Any) -> frozenset[RestrictionScope]:
    return frozenset(RestrictionScope if said == "all" else map(RestrictionScope, said))


@typed(frozen=True, config=STRICT, kw_only=True)
class RestrictedEntry:
    """One country (`KP`) or region (`UA-43`), where it counts, and from when until when.

    `also` are other names of it.
    """

    code: str
    name: str
    scopes: Annotated[frozenset[RestrictionScope], PlainValidator(_scopes)]
    basis: str
    since: date = Field(alias="from")
    until: date | None = None
    also: tuple[str, ...] = ()

    @cached_property
    def spelled(self) -> frozenset[str]:
        """All its names in every form under which they are compared."""
        return frozenset[str]().union(*map(_spellings, (self.code, self.name, *self.also)))

    def covers(self, place: StatedPlace, on: date) -> bool:
        if place.scope not in self.scopes or not self._in_force(on):
            return False
        country, _, region = self.code.partition("-")
        if country != place.country:
            return False
        return not region or any(self.spelled & _spellings(word) for word in place.words)

    def _in_force(self, on: date) -> bool:
        return self.since <= on and (self.until is None or on < self.until)


@typed(frozen=True, config=STRICT, kw_only=True)
class RestrictedList(VersionedFile):
    """One version of the list. It says itself from which day it is in force."""

    effective_from: date
    note: str = ""
    entries: tuple[RestrictedEntry, ...]

    def find(
        self, places: Iterable[StatedPlace], *, on: date
    ) -> list[tuple[StatedPlace, RestrictedEntry]]:
        """Return each place that is restricted on that day, with the entry that says so."""
        return [
            (place, entry) for place in places for entry in self.entries if entry.covers(place, on)
        ]

    def countries(self, *, on: date) -> frozenset[str]:
        """Return the codes of whole countries that are restricted on that day, in any way."""
        return frozenset(e.code for e in self.entries if "-" not in e.code and e._in_force(on))


def _half_lists(found: RestrictedList) -> Iterator[str]:
    if ALWAYS not in {entry.code for entry in found.entries if entry.until is None}:
        yield f"The list {found.version} does not hold {ALWAYS}."


LISTS = JsonFiles(
    "restricted_list",
    "Restricted countries",
    "onboarding.restricted-list.v1",
    RestrictedList,
    FOLDER,
    prefix="restricted-",
    faults=_half_lists,
)


def in_force(on: date, *, folder: Path = FOLDER) -> RestrictedList:
    """Return the newest list that has taken effect by that day, or raise ListUnreadable."""
    taken = [found for found in _read_all(folder) if found.effective_from <= on]
    if not taken:
        raise ListUnreadable(f"No list of restricted countries is in force on {on}.")
    return max(taken, key=lambda found: (found.effective_from, found.version))


@cache
def _read_all(folder: Path) -> tuple[RestrictedList, ...]:
    """Return every list, or raise ListUnreadable: half a list is no list."""
    lists = replace(LISTS, folder=folder)
    try:
        return tuple(map(lists.load, lists.versions()))
    except (OSError, FileFault) as fault:
        raise ListUnreadable(str(fault)) from fault


def _spellings(word: str) -> frozenset[str]:
    return spellings(word.replace(",", " "))
