"""A structure of owners as the template `onboarding/_owners_shown.html` shows it.

Its context is `shown`, a ShownOwnership: first a table of the parties with a sentence each, then a
tree, which is drawn as SVG and has the sentences as its text. Staff also see the checks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from onboarding.ownership.interests import InterestRange
from onboarding.ownership.owners import Ownership, OwnerTest, Position
from onboarding.ownership.sentences import sentences
from onboarding.ownership.structure import (
    BUSINESS,
    IN_ARRANGEMENTS,
    Holding,
    Interest,
    PartyKind,
    RoleKind,
    Structure,
)
from onboarding.reference import countries

KINDS = {
    PartyKind.PERSON: "Person",
    PartyKind.ENTITY: "Company",
    PartyKind.ARRANGEMENT: "Trust or similar",
    PartyKind.STATE: "State",
    PartyKind.LISTED: "Listed company",
}
WHY = {
    OwnerTest.INTEREST: "Interest",
    OwnerTest.CONTROL: "Control",
    OwnerTest.MIXED: "Interest and control",
    OwnerTest.ARRANGEMENT: "Role in a trust",
}
INTERESTS = {
    Interest.VOTING_RIGHTS: "votes",
    Interest.PROFIT_OR_INCOME: "profit",
    Interest.SURPLUS_ASSETS: "assets if dissolved",
    Interest.APPOINTMENT_OF_BOARD: "appoints the board",
    Interest.COMPANY_RULES: "rights in the articles",
    Interest.LEGAL_FRAMEWORK: "rights by law",
    Interest.GRANTED_BY_CONTRACT: "rights by contract",
    Interest.CONDITIONAL_BY_CONTRACT: "conditional rights by contract",
    Interest.USE_OF_ASSETS: "use of assets",
    Interest.PROFIT_FROM_ASSETS: "profit from assets",
    Interest.OTHER_INFLUENCE_OR_CONTROL: "other influence",
}
ROLES = {
    RoleKind.DIRECTOR: "director",
    RoleKind.SENIOR_MANAGER: "senior manager",
    RoleKind.SETTLOR: "settlor",
    RoleKind.TRUSTEE: "trustee",
    RoleKind.PROTECTOR: "protector",
    RoleKind.BENEFICIARY: "beneficiary",
    RoleKind.NOMINEE: "nominee",
    RoleKind.NOMINATOR: "nominator",
    RoleKind.ACTS_FOR: "acts for",
}
# The drawing, in pixels.
_LINE, _STEP, _LETTER = 28, 24, 8
_MOST_LINES, _LONGEST = 300, 60


@dataclass(frozen=True)
class OwnerRow:
    """One party. `number` is its place in the answer, and `check` its screening, for staff."""

    number: int
    name: str
    about: str
    direct: list[str]
    roles: list[str]
    effective: str
    votes: str
    controls: bool
    why: list[str]
    is_possible: bool
    is_near: bool
    sentence: str
    check: Any = None
    others: Sequence[Any] = ()


@dataclass(frozen=True)
class TreeLine:
    """One line of the tree: where it is, from where a line leads to it, and its text."""

    x: int
    y: int
    text: str
    is_person: bool = False
    is_loop: bool = False
    owned: tuple[int, int] | None = None

    @property
    def baseline(self) -> int:
        return self.y + 5

    @property
    def text_x(self) -> int:
        return self.x + 14

    @property
    def path(self) -> str:
        """The path from what is owned, down and to the right."""
        if self.owned is None:
            return ""
        x, y = self.owned
        return f"M{x} {y + 7}V{self.y}H{self.x - 7}"


@dataclass(frozen=True)
class ShownOwnership:
    """What is shown of a structure. `left_out`: the tree has more lines than are drawn."""

    ownership: Ownership
    rows: list[OwnerRow]
    lines: list[TreeLine]
    left_out: bool

    @property
    def height(self) -> int:
        return _LINE * len(self.lines)

    @property
    def width(self) -> int:
        return max(line.text_x + _LETTER * len(line.text) for line in self.lines)

    @property
    def officials(self) -> str:
        return ", ".join(party.name for party in self.ownership.officials)


def shown(ownership: Ownership) -> ShownOwnership:
    """Return what the template shows: beneficial owners first, then whoever has most."""
    said = sentences(ownership)
    numbered = sorted(enumerate(ownership.positions), key=lambda one: _first_owners(one[1]))
    rows = [
        _row(ownership.structure, number, one, said.get(one.party.id, ""))
        for number, one in numbered
    ]
    lines = list(_tree(ownership.structure))
    return ShownOwnership(ownership, rows, lines[:_MOST_LINES], len(lines) > _MOST_LINES)


def _first_owners(one: Position) -> tuple[bool, Fraction]:
    return not (one.is_owner and one.party.is_person), -one.interest.most


def _row(structure: Structure, number: int, one: Position, sentence: str) -> OwnerRow:
    party = one.party
    holdings = [holding for holding in structure.holdings if holding.owner == party.id]
    return OwnerRow(
        number,
        party.name,
        _about(one),
        direct=[f"{_part(one)} of {structure.name_of(one.owned)}" for one in holdings],
        roles=[
            f"{ROLES[role.role]} of {structure.name_of(role.of)}".replace("for of", "for")
            for role in structure.roles_of(party.id)
        ],
        effective=_unbroken(one.interest) if one.interest else "",
        votes=_unbroken(one.votes) if one.votes != one.interest else "",
        controls=one.controls,
        why=[WHY[test] for test in one.tests] if party.is_person else [],
        is_possible=one.is_possible,
        is_near=one.is_near and not one.is_owner,
        sentence=sentence,
    )


def _unbroken(part: InterestRange) -> str:
    """Return a percentage whose sign stays on its line."""
    return str(part).replace(" %", "\N{NO-BREAK SPACE}%")


def _about(one: Position) -> str:
    party = one.party
    parts = [KINDS[party.kind], countries.name(party.country) if party.country else ""]
    if party.born:
        parts.append(f"born {date.fromisoformat(party.born):%-d %b %Y}")
    parts += [party.number, party.market]
    return ", ".join(filter(None, parts))


def _part(holding: Holding) -> str:
    """Return what a holding is: "60 %", "20 % to 30 %, votes", "appoints the board"."""
    part = InterestRange(holding.least, holding.most)
    words = [str(part) if part else "", INTERESTS.get(holding.interest, "")]
    if holding.votes is not None:
        words.append(f"{InterestRange(holding.votes, holding.votes)} of the votes")
    return ", ".join(filter(None, words)) or "a part"


def _tree(structure: Structure) -> Iterator[TreeLine]:
    """Yield the lines from the business up. Each party's owners are drawn once."""
    above = _above(structure)
    drawn = set[str]()
    waiting: list[tuple[str, str, tuple[str, ...], tuple[int, int] | None]]
    waiting = [(BUSINESS, "", (), None)]
    for number in range(_MOST_LINES + 1):
        if not waiting:
            return
        one, part, path, owned = waiting.pop()
        x, y = 8 + _STEP * len(path), _LINE // 2 + _LINE * number
        is_person = one != BUSINESS and structure.by_id[one].is_person
        mark = " (see above)" if one in drawn and one in above else ""
        mark = " (loop)" if one in path else mark
        words = f"{structure.name_of(one)[:_LONGEST]}{part}{mark}"
        yield TreeLine(x, y, words, is_person, one in path, owned)
        if one not in drawn:
            drawn.add(one)
            for owner, share in reversed(above.get(one, [])):
                waiting.append((owner, f", {share}", (*path, one), (x, y)))


def _above(structure: Structure) -> dict[str, list[tuple[str, str]]]:
    """Return who is directly above each party, with what each holds or does."""
    above: dict[str, list[tuple[str, str]]] = {}
    for holding in structure.holdings:
        above.setdefault(holding.owned, []).append((holding.owner, _part(holding)))
    for role in structure.roles:
        if role.role in IN_ARRANGEMENTS:
            above.setdefault(role.of, []).append((role.party, ROLES[role.role]))
    return above
