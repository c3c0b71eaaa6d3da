"""The restricted countries and regions: a dated list, read or refused, never guessed."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, auto
from functools import cache
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class RestrictedEntry:
    """One country (`KP`) or region (`UA-43`), where it counts, and from when until when."""

    code: str
    name: str
    scopes: frozenset[RestrictionScope]
    basis: str
    since: date
    until: date | None
    also: frozenset[str]

    def covers(self, place: StatedPlace, on: date) -> bool:
        if place.scope not in self.scopes or not self._in_force(on):
            return False
        country, _, region = self.code.partition("-")
        if country != place.country:
            return False
        return not region or any(self.also & _spellings(word) for word in place.words)

    def _in_force(self, on: date) -> bool:
        return self.since <= on and (self.until is None or on < self.until)


@dataclass(frozen=True)
class RestrictedList:
    """One version of the list. `sha256` is of the file as it was read."""

    version: str
    effective_from: date
    entries: tuple[RestrictedEntry, ...]
    sha256: str

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


def in_force(on: date, *, folder: Path = FOLDER) -> RestrictedList:
    """Return the newest list that has taken effect by that day, or raise ListUnreadable."""
    taken = [found for found in _read_all(folder) if found.effective_from <= on]
    if not taken:
        raise ListUnreadable(f"No list of restricted countries is in force on {on}.")
    return max(taken, key=lambda found: (found.effective_from, found.version))


@cache
def _read_all(folder: Path) -> tuple[RestrictedList, ...]:
    return tuple(read(path) for path in sorted(folder.glob("restricted-*.json")))


def read(path: Path) -> RestrictedList:
    """Read one list, or raise ListUnreadable: half a list is no list."""
    try:
        raw = path.read_bytes()
        body = json.loads(raw)
        entries = tuple(_entry(item) for item in body["entries"])
        effective = date.fromisoformat(body["effective_from"])
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise ListUnreadable(f"{path.name} cannot be read.") from fault
    if ALWAYS not in {entry.code for entry in entries if entry.until is None}:
        raise ListUnreadable(f"{path.name} does not hold {ALWAYS}.")
    return RestrictedList(body["version"], effective, entries, hashlib.sha256(raw).hexdigest())


def _entry(item: dict[str, Any]) -> RestrictedEntry:
    names = [item["code"], item["name"], *item.get("also", [])]
    scopes = (
        RestrictionScope
        if item["scopes"] == "all"
        else (RestrictionScope(scope) for scope in item["scopes"])
    )
    return RestrictedEntry(
        code=item["code"],
        name=item["name"],
        scopes=frozenset(scopes),
        basis=item["basis"],
        since=date.fromisoformat(item["from"]),
        until=date.fromisoformat(item["until"]) if "until" in item else None,
        also=frozenset[str]().union(*map(_spellings, names)),
    )


def _spellings(word: str) -> frozenset[str]:
    return spellings(word.replace(",", " "))
