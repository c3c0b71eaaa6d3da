"""What a structure shows beside owners: what is not traced, loops, deadlocks, unknown roles."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from onboarding.ownership.interests import ALL, NONE, ShareGraph, nominators_of, percent
from onboarding.ownership.structure import (
    BUSINESS,
    End,
    Interest,
    OwnershipParty,
    PartyKind,
    RoleKind,
    Structure,
)


class FindingKind(StrEnum):
    """What the structure shows beside owners."""

    UNTRACED = "untraced"
    CLOSED_LOOP = "closed_loop"
    LOOP = "loop"
    DEADLOCK = "deadlock"
    POSSIBLE_OWNER = "possible_owner"
    MORE_THAN_ALL = "more_than_all"
    INCOMPLETE_ARRANGEMENT = "incomplete_arrangement"
    UNKNOWN_NOMINATOR = "unknown_nominator"
    UNKNOWN_INTEREST = "unknown_interest"
    NO_OWNER = "no_owner"
    NO_OFFICIAL = "no_official"


# What a reviewer must look at before the case is cleared. The others are said only.
OPEN_FINDINGS = frozenset(FindingKind) - {
    *(FindingKind.LOOP, FindingKind.DEADLOCK, FindingKind.NO_OWNER),
}
_ARRANGEMENT_NEEDS = (RoleKind.SETTLOR, RoleKind.TRUSTEE)


@dataclass(frozen=True)
class OwnershipFinding:
    """Something that the structure shows, as a sentence, with the parties that it is about."""

    kind: FindingKind
    says: str
    parties: tuple[str, ...] = ()
    part: Fraction = NONE

    @property
    def is_open(self) -> bool:
        return self.kind in OPEN_FINDINGS


def managers(structure: Structure) -> list[OwnershipParty]:
    """Return the senior managers of the business, or else its directors, who are people."""
    for kind in (RoleKind.SENIOR_MANAGER, RoleKind.DIRECTOR):
        parties = [structure.by_id[one] for one in structure.with_role(BUSINESS, kind)]
        if people := [party for party in parties if party.is_person]:
            return people
    return []


def gaps(structure: Structure, graph: ShareGraph, target: str = BUSINESS) -> dict[str, Fraction]:
    """Return which part of a target ends, untraced, at each party.

    Unknown parts count as the worst: `graph` has the least of each range.
    """
    reached = graph.reached(target)
    closed = frozenset[str]().union(*reached.closed)
    found: dict[str, Fraction] = {}
    for one, weight in reached.weights.items():
        rest = ALL - sum(graph.shares.get(one, {}).values(), NONE)
        if one in closed:
            found[one] = weight
        elif rest > 0 and not _is_traced(structure, one):
            found[one] = weight * rest
    return {one: part for one, part in found.items() if part}


def of_shares(
    structure: Structure, graph: ShareGraph, loops: Iterable[frozenset[str]]
) -> Iterator[OwnershipFinding]:
    """Yield what is not traced, and the loops."""
    name, closed = structure.name_of, graph.reached(BUSINESS).closed
    untraced = gaps(structure, graph)
    for one, part in sorted(untraced.items(), key=lambda gap: (-gap[1], gap[0])):
        is_closed = any(one in loop for loop in closed)
        why = f"{name(one)} is in a loop" if is_closed else _why(structure, one)
        says = f"{percent(part)} of the business is not traced: {why}."
        yield OwnershipFinding(FindingKind.UNTRACED, says, (one,), part)
    for loop in closed:
        names = " and ".join(sorted(map(name, loop)))
        says = f"{names} own each other entirely, so nobody else owns them."
        yield OwnershipFinding(FindingKind.CLOSED_LOOP, says, tuple(sorted(loop)))
    for loop in loops:
        if loop not in closed:
            names = " and ".join(sorted(map(name, loop)))
            says = f"{names} own parts of each other. The shares allow for that."
            yield OwnershipFinding(FindingKind.LOOP, says, tuple(sorted(loop)))


def of_others(
    structure: Structure, graph: ShareGraph, above: Iterable[str]
) -> Iterator[OwnershipFinding]:
    """Yield who is above the business without shares in it, and is not traced to people."""
    weights = graph.reached(BUSINESS).weights
    for one in sorted(above):
        if one != BUSINESS and not weights.get(one):
            for at in sorted(gaps(structure, graph, one)):
                whose = structure.name_of(one)
                says = f"{whose} may have control, and is not traced: {_why(structure, at)}."
                yield OwnershipFinding(FindingKind.UNTRACED, says, (one,))
                break


def of_sums(what: str, structure: Structure, graph: ShareGraph) -> Iterator[OwnershipFinding]:
    """Yield the parties of which more than everything is owned."""
    for owned, owners in graph.shares.items():
        if (total := sum(owners.values(), NONE)) > ALL:
            says = f"The {what} of {structure.name_of(owned)} add up to {percent(total)}."
            yield OwnershipFinding(FindingKind.MORE_THAN_ALL, says, (owned,), total)


def of_deadlocks(structure: Structure, votes: ShareGraph) -> Iterator[OwnershipFinding]:
    """Yield each party of which two owners have half of the votes each."""
    name = structure.name_of
    for owned, parts in votes.shares.items():
        halves = [one for one, part in parts.items() if part * 2 == ALL]
        if len(halves) == 2:
            both = " and ".join(map(name, halves))
            says = f"{both} have half of the votes of {name(owned)} each."
            yield OwnershipFinding(FindingKind.DEADLOCK, says, (owned, *halves))


def of_roles(structure: Structure) -> Iterator[OwnershipFinding]:
    """Yield arrangements and nominees of which somebody is not named, and unknown interests."""
    name = structure.name_of
    for party in structure.parties:
        if party.kind == PartyKind.ARRANGEMENT and (lacking := _lacking(structure, party.id)):
            says = f"{party.name} has no {' and no '.join(lacking)}."
            yield OwnershipFinding(FindingKind.INCOMPLETE_ARRANGEMENT, says, (party.id,))
    for nominee, nominators in nominators_of(structure).items():
        if not nominators:
            says = f"Nobody is named for whom {name(nominee)} is a nominee."
            yield OwnershipFinding(FindingKind.UNKNOWN_NOMINATOR, says, (nominee,))
    for holding in structure.holdings:
        if holding.interest in (Interest.UNKNOWN, Interest.UNPUBLISHED):
            says = f"What {name(holding.owner)} has in {name(holding.owned)} is not known."
            parties = (holding.owner, holding.owned)
            yield OwnershipFinding(FindingKind.UNKNOWN_INTEREST, says, parties)


def _is_traced(structure: Structure, one: str) -> bool:
    """Tell whether what a party holds for itself needs no further tracing."""
    party = structure.by_id.get(one)
    if party is None:
        return False
    match party.kind:
        case PartyKind.PERSON:
            is_known = bool(party.name and party.country and party.born)
            return is_known and nominators_of(structure).get(one) != []
        case PartyKind.LISTED:
            return bool(party.market)
        case PartyKind.ARRANGEMENT:
            return not _lacking(structure, one)
    return party.kind == PartyKind.STATE


def _lacking(structure: Structure, arrangement: str) -> list[RoleKind]:
    roles = {role.role for role in structure.roles if role.of == arrangement}
    return [kind for kind in _ARRANGEMENT_NEEDS if kind not in roles]


def _why(structure: Structure, one: str) -> str:
    """Return why a part is not traced further, as the end of a sentence."""
    party = structure.by_id.get(one)
    if party is None:
        return "no owner is given for it"
    if party.is_person:
        known = nominators_of(structure).get(one) != []
        return f"{party.name} is {'not identified' if known else 'a nominee for nobody named'}"
    if party.kind == PartyKind.LISTED:
        return f"the market of {party.name} is not given"
    if party.kind == PartyKind.ARRANGEMENT:
        return f"not everybody in {party.name} is named"
    if party.end == End.WIDELY_HELD:
        return f"{party.name} has many owners"
    return f"not all owners of {party.name} are given"
