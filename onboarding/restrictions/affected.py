"""Preview of a change of the restricted list: everything that it touches.

Packages above register a finder for each kind of thing that states places.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from onboarding.restrictions.restricted_list import RestrictedList, StatedPlace

# How many of each kind a page names. All are counted.
MOST_NAMED = 100


@dataclass(frozen=True)
class Stating:
    """Something that states places: its name on the page, its business, and a link or ""."""

    name: str
    business: str
    places: tuple[StatedPlace, ...]
    url: str = ""


# Returns what may state a place in one of these countries, among others.
Finder = Callable[[frozenset[str]], Iterable[Stating]]


@dataclass
class AffectedGroup:
    """One kind of thing, with those that the change restricts and those that it releases."""

    title: str
    restricted: list[Stating] = field(default_factory=list)
    released: list[Stating] = field(default_factory=list)
    restricted_count: int = 0
    released_count: int = 0

    def note(self, one: Stating, *, restricted: bool) -> None:
        if restricted:
            self.restricted_count += 1
            self.restricted += [one] * (self.restricted_count <= MOST_NAMED)
        else:
            self.released_count += 1
            self.released += [one] * (self.released_count <= MOST_NAMED)


_finders: dict[str, Finder] = {}


def register(title: str, finder: Finder) -> None:
    """Register what a change may touch. Called from AppConfig.ready(), nowhere else."""
    if title in _finders:
        raise ValueError(f"{title} is registered twice.")
    _finders[title] = finder


def preview(before: RestrictedList, after: RestrictedList, *, on: date) -> list[AffectedGroup]:
    """Return each kind of thing with those that the change restricts or releases on that day."""
    changed = [one for one in before.entries if one not in after.entries]
    changed += [one for one in after.entries if one not in before.entries]
    countries = frozenset(code for one in changed for code in (one.code[:2], *one.under))
    return [_group(title, find(countries), before, after, on) for title, find in _finders.items()]


def _group(
    title: str, found: Iterable[Stating], before: RestrictedList, after: RestrictedList, on: date
) -> AffectedGroup:
    group = AffectedGroup(title)
    for one in found:
        was, becomes = (bool(each.find(one.places, on=on)) for each in (before, after))
        if was != becomes:
            group.note(one, restricted=becomes)
    return group
