"""Who is a beneficial owner of a business, by which test, and what is not known."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from onboarding.ownership import control as controls
from onboarding.ownership import findings
from onboarding.ownership.control import ControlStep
from onboarding.ownership.findings import FindingKind, OwnershipFinding
from onboarding.ownership.interests import (
    ALL,
    NONE,
    InterestRange,
    Layer,
    Reached,
    ShareGraph,
    graph_of,
    layers_of,
    loops_and_parties,
    nominators_of,
    owners_above,
)
from onboarding.ownership.structure import (
    BUSINESS,
    IN_ARRANGEMENTS,
    OwnershipParty,
    PartyKind,
    Structure,
    structure_of,
)
from onboarding.ownership.thresholds import OwnerThreshold, ThresholdRule, threshold


class OwnerTest(StrEnum):
    """Why somebody is a beneficial owner."""

    INTEREST = "interest"
    CONTROL = "control"
    MIXED = "mixed"
    ARRANGEMENT = "arrangement"


@dataclass(frozen=True)
class Position:
    """One party beside the business: what it has, what it controls, and whether it is an owner.

    `direct` is its share in the business. `interest` and `votes` are its effective interest in
    shares, profits or assets, whichever is higher, and in votes. `steps` say how it controls the
    business. `tests` are those that make it a beneficial owner; `is_possible` if it only may be
    one, because a share is a range. `is_near`: it is close to the threshold.
    """

    party: OwnershipParty
    direct: InterestRange
    interest: InterestRange
    votes: InterestRange
    steps: tuple[ControlStep, ...] = ()
    tests: tuple[OwnerTest, ...] = ()
    is_possible: bool = False
    is_near: bool = False

    @property
    def is_owner(self) -> bool:
        return bool(self.tests)

    @property
    def controls(self) -> bool:
        return bool(self.steps)


@dataclass(frozen=True)
class Ownership:
    """The answers about a structure. `officials` are managers, named where nobody is an owner."""

    structure: Structure
    threshold: OwnerThreshold
    positions: tuple[Position, ...]
    findings: tuple[OwnershipFinding, ...]
    untraced: Fraction
    layers: int
    loops: tuple[frozenset[str], ...]

    @property
    def owners(self) -> list[Position]:
        return [one for one in self.positions if one.is_owner and one.party.is_person]

    @cached_property
    def officials(self) -> list[OwnershipParty]:
        return [] if self.owners else findings.managers(self.structure)

    @property
    def open_findings(self) -> list[OwnershipFinding]:
        return [one for one in self.findings if one.is_open]


def owners_of(structure: Structure, threshold: OwnerThreshold) -> Ownership:
    """Return who owns and controls the business by this threshold, and what is not known."""
    return _Computation(structure, threshold).ownership()


def ownership_of(answers: Mapping[str, Any], *, on: date, is_high: bool = False) -> Ownership:
    """Return who owns the business in these answers, by our threshold on a day."""
    rule = ThresholdRule.OURS_HIGH if is_high else ThresholdRule.OURS
    return owners_of(structure_of(answers), threshold(rule, on))


class _Computation:
    """The graphs of one structure, each computed once."""

    def __init__(self, structure: Structure, threshold: OwnerThreshold) -> None:
        self.structure, self.threshold = structure, threshold
        self.nominators = nominators_of(structure)
        graphs: dict[tuple[Layer, bool], ShareGraph] = {}
        for layer, is_most in product(layers_of(structure), (False, True)):
            graph = graph_of(structure, layer, is_most=is_most)
            # Most layers are the same as the shares, and are then computed once.
            same = (one for one in graphs.values() if one.shares == graph.shares)
            graphs[layer, is_most] = next(same, graph)
        self.graphs = graphs
        self._reached: dict[tuple[int, str], Reached] = {}
        least, most = (controls.control_graph(structure, is_most=one) for one in (False, True))
        self.certain = {one.id: least.controlled_by(one.id) for one in structure.parties}
        self.possible = self.certain
        if most != least:
            self.possible = {one.id: most.controlled_by(one.id) for one in structure.parties}
        # Who controls the business, beside people. Owners of these may own the business.
        self.controllers = [
            one.id
            for one in structure.parties
            if not one.is_person and BUSINESS in self.possible[one.id]
        ]

    def ownership(self) -> Ownership:
        above = owners_above(self._links())
        loops = sorted(
            (
                frozenset(one)
                for one in loops_and_parties(above, BUSINESS)
                if one[0] in above.get(one[0], ())
            ),
            key=sorted,
        )
        positions = tuple(self._position(party) for party in self.structure.parties)
        found_above = above.get(BUSINESS, frozenset())
        untraced = findings.gaps(self.structure, self.graphs[Layer.SHARES, False])
        return Ownership(
            self.structure,
            self.threshold,
            positions,
            tuple(self._findings(positions, found_above, loops)),
            untraced=min(ALL, sum(untraced.values(), NONE)),
            layers=self._depth(above),
            loops=tuple(loops),
        )

    def _links(self) -> dict[str, list[str]]:
        """Return who is directly above each party: owners, people of a trust, nominators."""
        links: dict[str, list[str]] = {}
        for holding in self.structure.holdings:
            links.setdefault(holding.owned, []).append(holding.owner)
        for role in self.structure.roles:
            if role.role in IN_ARRANGEMENTS:
                links.setdefault(role.of, []).append(role.party)
        for nominee, nominators in self.nominators.items():
            links.setdefault(nominee, []).extend(nominators)
        return links

    def _weight(self, party: str, layer: Layer, target: str, *, is_most: bool) -> Fraction:
        graph = self.graphs[layer, is_most]
        key = (id(graph), target)
        if key not in self._reached:
            self._reached[key] = graph.reached(target)
        # More than the whole is possible only inside a loop.
        return min(ALL, self._reached[key].weights.get(party, NONE))

    def _interest(self, party: str, layer: Layer, target: str = BUSINESS) -> InterestRange:
        if party == target:
            return InterestRange()
        least = self._weight(party, layer, target, is_most=False)
        return InterestRange(least, max(least, self._weight(party, layer, target, is_most=True)))

    def _highest(self, party: str, target: str = BUSINESS) -> InterestRange:
        """Return the interest in the layer where it is highest."""
        layers = {layer for layer, _ in self.graphs}
        every = [self._interest(party, layer, target) for layer in layers]
        return max(every, key=lambda one: (one.most, one.least))

    def _direct(self, party: str, layer: Layer) -> InterestRange:
        least, most = (
            self.graphs[layer, is_most].shares.get(BUSINESS, {}).get(party, NONE)
            for is_most in (False, True)
        )
        return InterestRange(least, max(least, most))

    def _position(self, party: OwnershipParty) -> Position:
        one = party.id
        layers = {layer for layer, _ in self.graphs} - {Layer.VOTES}
        economic = max((self._interest(one, layer) for layer in layers), key=lambda part: part.most)
        votes = self._interest(one, Layer.VOTES)
        steps = self.possible[one]
        tests = tuple(self._tests(one))
        highest = max(economic.most, votes.most)
        return Position(
            party,
            direct=self._direct(one, Layer.SHARES),
            interest=economic,
            votes=votes,
            steps=tuple(controls.chain(steps, BUSINESS)) if BUSINESS in steps else (),
            tests=tests,
            is_possible=bool(tests) and not any(self._tests(one, is_certain=True)),
            is_near=self.threshold.is_near(highest),
        )

    def _tests(self, one: str, *, is_certain: bool = False) -> Iterator[OwnerTest]:
        """Yield the tests that a party meets. The mixed one counts where neither of two is met.

        Nominees hold nothing of their own.
        """
        is_nominee = bool(self.nominators.get(one))
        is_interested = not is_nominee and self._is_interested(one, is_certain=is_certain)
        controls_it = BUSINESS in self._controlled(one, is_certain=is_certain)
        if is_interested:
            yield OwnerTest.INTEREST
        if controls_it:
            yield OwnerTest.CONTROL
        if not (is_interested or controls_it) and self._is_mixed(one, is_certain=is_certain):
            yield OwnerTest.MIXED
        if self._is_in_arrangement(one, is_certain=is_certain):
            yield OwnerTest.ARRANGEMENT

    def _controlled(self, one: str, *, is_certain: bool) -> Mapping[str, ControlStep]:
        return (self.certain if is_certain else self.possible)[one]

    def _is_interested(self, one: str, target: str = BUSINESS, *, is_certain: bool) -> bool:
        part = self._highest(one, target)
        return self.threshold.is_reached(part.least if is_certain else part.most)

    def _is_mixed(self, one: str, *, is_certain: bool) -> bool:
        """Tell whether it controls a direct owner of enough, or owns enough of who controls."""
        for k in self._controlled(one, is_certain=is_certain):
            direct = (self._direct(k, layer) for layer, _ in self.graphs if k != BUSINESS)
            if any(
                self.threshold.is_reached(part.least if is_certain else part.most)
                for part in direct
            ):
                return True
        return any(
            self._is_interested(one, k, is_certain=is_certain)
            for k in self.controllers
            if k != one and BUSINESS in self._controlled(k, is_certain=is_certain)
        )

    def _is_in_arrangement(self, one: str, *, is_certain: bool) -> bool:
        """Tell whether it has a role in an arrangement that qualifies, or owns who has."""
        for of, parties in self._arrangements.items():
            if of != BUSINESS and not any(self._plain_tests[of]):
                continue
            if one in parties:
                return True
            for k in parties:
                if k in self._controlled(one, is_certain=is_certain) or self._is_interested(
                    one, k, is_certain=is_certain
                ):
                    return True
        return False

    @cached_property
    def _arrangements(self) -> dict[str, list[str]]:
        """The parties with a role in each arrangement."""
        found: dict[str, list[str]] = {}
        for role in self.structure.roles:
            if role.role in IN_ARRANGEMENTS:
                found.setdefault(role.of, []).append(role.party)
        return found

    @cached_property
    def _plain_tests(self) -> dict[str, tuple[bool, bool, bool]]:
        """Whether each arrangement itself has enough, controls, or does either through others."""
        return {
            one: (
                self._is_interested(one, is_certain=False),
                BUSINESS in self.possible[one],
                self._is_mixed(one, is_certain=False),
            )
            for one in self._arrangements
            if one != BUSINESS
        }

    def _depth(self, above: Mapping[str, frozenset[str]]) -> int:
        """Return the most organisations between the business and whoever is furthest away."""
        links = self._links()
        counted = {
            one.id
            for one in self.structure.parties
            if one.kind in (PartyKind.ENTITY, PartyKind.ARRANGEMENT) or one.id in links
        }
        depth: dict[str, int] = {}
        for loop in loops_and_parties(above, BUSINESS):
            here = max(depth.get(one, 0) for one in loop) + len(counted.intersection(loop))
            for one in loop:
                depth[one] = here
                for owner in links.get(one, ()):
                    if owner not in loop:
                        depth[owner] = max(depth.get(owner, 0), here)
        return max(depth.values())

    def _findings(
        self,
        positions: Iterable[Position],
        above: frozenset[str],
        loops: Iterable[frozenset[str]],
    ) -> Iterator[OwnershipFinding]:
        structure = self.structure
        shares, votes = (self.graphs[layer, False] for layer in (Layer.SHARES, Layer.VOTES))
        yield from findings.of_shares(structure, shares, loops)
        yield from findings.of_others(structure, shares, above)
        yield from findings.of_sums("shares", structure, shares)
        yield from findings.of_sums("votes", structure, votes)
        yield from findings.of_deadlocks(structure, votes)
        yield from findings.of_roles(structure)
        owners = [one for one in positions if one.is_owner and one.party.is_person]
        for one in owners:
            if one.is_possible:
                says = f"{one.party.name} may own enough to be a beneficial owner."
                yield OwnershipFinding(FindingKind.POSSIBLE_OWNER, says, (one.party.id,))
        if not owners:
            says = f"Nobody owns {self.threshold} of the business, or controls it."
            yield OwnershipFinding(FindingKind.NO_OWNER, says)
            if not findings.managers(structure):
                says = "No director or senior manager is named instead of an owner."
                yield OwnershipFinding(FindingKind.NO_OFFICIAL, says)
