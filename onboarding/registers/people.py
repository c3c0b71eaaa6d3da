"""The officers and owners whom a register lists, and how they differ from the answers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.core.folding import Likeness, likeness
from onboarding.ownership.interests import InterestRange, owners_above
from onboarding.ownership.owners import Ownership, Position
from onboarding.ownership.shown import ROLES
from onboarding.ownership.structure import BUSINESS, OwnershipParty, RoleKind, percent
from onboarding.registers.name_agreement import agrees
from onboarding.registers.records import dated

# From more than this part of a business, its register should list who holds it directly.
_LISTED_ABOVE = Fraction(25, 100)


class ListedAs(StrEnum):
    """What somebody is by a register. A parent consolidates the business in its accounts."""

    DIRECTOR = "director"
    OWNER = "owner"
    DIRECT_PARENT = "direct parent"
    ULTIMATE_PARENT = "ultimate parent"


_WORDS = {
    ListedAs.DIRECTOR: gettext_noop("director"),
    ListedAs.OWNER: gettext_noop("owner"),
    ListedAs.DIRECT_PARENT: gettext_noop("direct parent"),
    ListedAs.ULTIMATE_PARENT: gettext_noop("ultimate parent"),
}


@dataclass(frozen=True)
class RegisterParty:
    """A person or organisation on a register. `born` is a year and month, `least` a percentage."""

    name: str
    listed_as: ListedAs
    is_person: bool = False
    born: str = ""
    number: str = ""
    least: str = ""
    most: str = ""

    @property
    def words(self) -> str:
        """What the register states, as "owner, 25 % to 50 %, born 1984-05"."""
        said = {"least": self.least, "most": self.most}
        share = _("%(least)s %% to %(most)s %%") % said if self.most else ""
        return ", ".join(filter(None, (_(_WORDS[self.listed_as]), share, _born(self.born))))


@dataclass(frozen=True)
class RegisterPeople:
    """The parties on a register's entry. The flags: it lists every director, or every owner."""

    register: str
    parties: tuple[RegisterParty, ...] = ()
    has_directors: bool = False
    has_owners: bool = False

    def as_text(self) -> str:
        """Return this as JSON, for the evidence of a check."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True)
class PeopleLine:
    """Somebody on a register or in the answers, or both. `differs` is a sentence or ""."""

    name: str
    stated: str
    listed: str
    differs: str = ""


def compared(people: RegisterPeople, ownership: Ownership) -> list[PeopleLine]:
    """Compare the parties on a register with those in the answers, the register's first."""
    return list(_Comparison(people, ownership).lines())


class _Comparison:
    def __init__(self, people: RegisterPeople, ownership: Ownership) -> None:
        self.people, self.ownership = people, ownership
        self.structure = ownership.structure
        self.directors = set(self.structure.with_role(BUSINESS, RoleKind.DIRECTOR))
        self.positions = {one.party.id: one for one in ownership.positions}
        # Who of the answers is on the register, by what the register lists them as.
        self.found: set[tuple[str, ListedAs]] = set()

    def lines(self) -> Iterator[PeopleLine]:
        for party in self.people.parties:
            mine = self._named(party)
            if mine:
                self.found.add((mine.id, party.listed_as))
            stated = self._stated(mine) if mine else ""
            yield PeopleLine(party.name, stated, party.words, self._differs(party, mine))
        for missing, listed_as in self._unlisted():
            name = self.structure.name_of(missing)
            words = {"name": name, "register": self.people.register}
            if listed_as == ListedAs.DIRECTOR:
                says = _(
                    "The business names %(name)s as director, whom %(register)s does not list."
                )
            else:
                says = _("The business names %(name)s as owner, whom %(register)s does not list.")
            stated = self._stated(self.structure.by_id[missing])
            yield PeopleLine(name, stated, "", says % words)

    def _named(self, party: RegisterParty) -> OwnershipParty | None:
        """Return the party of the answers, first one that is what the register says."""
        same = [one for one in self.structure.parties if _is_same(party, one)]
        if party.listed_as == ListedAs.DIRECTOR:
            same.sort(key=lambda one: one.id not in self.directors)
        return same[0] if same else None

    def _differs(self, party: RegisterParty, mine: OwnershipParty | None) -> str:
        words = {
            "register": self.people.register, "name": party.name,
            "role": _(_WORDS[party.listed_as]), "least": party.least, "most": party.most,
        }  # fmt: skip
        says = ""
        if mine is None:
            says = _("%(register)s lists %(name)s as %(role)s, whom the business does not name.")
        elif party.listed_as == ListedAs.DIRECTOR and mine.id not in self.directors:
            says = _("%(register)s lists %(name)s as %(role)s, and the business does not.")
        elif party.most and not _is_between(party, self.positions.get(mine.id)):
            says = _(
                "%(register)s states %(least)s %% to %(most)s %% for %(name)s, and the business "
                "another share."
            )
        return says % words if says else ""

    def _stated(self, mine: OwnershipParty) -> str:
        position = self.positions.get(mine.id)
        share = position and (position.direct or position.interest)
        said = [_("owner, %(share)s") % {"share": share} if share else ""]
        said += [ROLES[role.role] for role in self.structure.roles_of(mine.id)]
        return ", ".join(filter(None, [*said, _born(mine.born)]))

    def _unlisted(self) -> Iterator[tuple[str, ListedAs]]:
        """Yield who of the answers should be on the register and is not."""
        if self.people.has_directors:
            for one in sorted(self.directors):
                if (one, ListedAs.DIRECTOR) not in self.found:
                    yield one, ListedAs.DIRECTOR
        if not self.people.has_owners:
            return
        owners: dict[str, set[str]] = {}
        for holding in self.structure.holdings:
            owners.setdefault(holding.owned, set()).add(holding.owner)
        above = owners_above(owners)
        listed = {one for one, listed_as in self.found if listed_as == ListedAs.OWNER}
        for one, position in self.positions.items():
            # A register may list the person above a foreign company instead.
            if position.direct.least > _LISTED_ABOVE and not listed & {one, *above.get(one, ())}:
                yield one, ListedAs.OWNER


def _born(day: str) -> str:
    """Return "born May 1984" or "born 2 May 1984", or "" if it is not known."""
    if not day:
        return ""
    shown = dated(day)
    with suppress(ValueError):
        shown = f"{date.fromisoformat(f'{day}-01'):%b %Y}"
    return _("born %(day)s") % {"day": shown}


def _is_same(party: RegisterParty, mine: OwnershipParty) -> bool:
    if party.is_person != mine.is_person:
        return False
    if not party.is_person:
        return agrees(party.name, mine.name)
    # A register has only the month of a birth, and often a middle name more.
    is_born = not (party.born and mine.born) or mine.born.startswith(party.born)
    return is_born and likeness(party.name, mine.name) is not Likeness.OTHER


def _is_between(party: RegisterParty, position: Position | None) -> bool:
    if position is None:
        return False
    least, most = percent(party.least), percent(party.most)
    parts = (position.direct, position.interest, position.votes)
    return any(part and _overlaps(part, least, most) for part in parts)


def _overlaps(part: InterestRange, least: Fraction, most: Fraction) -> bool:
    """Tell whether a part may be more than the least and not more than the most."""
    return part.most > least and part.least <= most


def of_evidence(evidence: Mapping[str, str]) -> RegisterPeople | None:
    """Return the people in the evidence of a check, or None if there are none or unreadable ones.

    An installed provider may have written them.
    """
    try:
        read = json.loads(evidence["people"])
        parties = tuple(_party(one) for one in read["parties"])
        flags = {key: read.get(key) is True for key in ("has_directors", "has_owners")}
        return RegisterPeople(str(read["register"]), parties, **flags)
    except (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return None


def _party(one: Mapping[str, Any]) -> RegisterParty:
    texts = {key: str(one.get(key) or "") for key in ("name", "born", "number", "least", "most")}
    for key in ("least", "most"):
        percent(texts[key] or "0")
    listed_as = ListedAs(one["listed_as"])
    return RegisterParty(listed_as=listed_as, is_person=one.get("is_person") is True, **texts)
