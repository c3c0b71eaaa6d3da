"""Effective interest: what each party holds of another through all layers, as exact fractions.

The effective interest of an owner in a target is the direct share plus, for each company between,
its share times the owner's effective interest in it. With loops this is a system of linear
equations, which is solved exactly for each loop.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from onboarding.ownership.structure import (
    BUSINESS,
    Holding,
    Interest,
    RoleKind,
    Structure,
)

NONE, ALL = Fraction(0), Fraction(1)
# The parts of each party, by owned party and owner.
Shares = Mapping[str, Mapping[str, Fraction]]


class Layer(StrEnum):
    """What is held. Companies without holdings of the last two divide these like their shares."""

    SHARES = "shares"
    VOTES = "votes"
    PROFITS = "profits"
    ASSETS = "assets"


_INSTEAD_OF_SHARES = {
    Layer.PROFITS: Interest.PROFIT_OR_INCOME,
    Layer.ASSETS: Interest.SURPLUS_ASSETS,
}


@dataclass(frozen=True)
class InterestRange:
    """An interest that is between two parts of 1, which are equal if it is exact."""

    least: Fraction = NONE
    most: Fraction = NONE

    @property
    def is_exact(self) -> bool:
        return self.least == self.most

    def __bool__(self) -> bool:
        return self.most > 0

    def __str__(self) -> str:
        """Return the percentage, as "60 %" or "20 % to 30 %"."""
        exact = percent(self.least)
        return exact if self.is_exact else f"{exact} to {percent(self.most)}"


@dataclass(frozen=True)
class Reached:
    """How much of a target each party has through all layers, and the sets that own themselves."""

    weights: Mapping[str, Fraction]
    closed: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class ShareGraph:
    """The direct shares of one layer: all at their least, or all at their most (`is_most`)."""

    shares: Shares
    is_most: bool = False

    @cached_property
    def above(self) -> dict[str, frozenset[str]]:
        """Everybody who owns a part of each party, directly or through others."""
        return owners_above(self.shares)

    def reached(self, target: str) -> Reached:
        """Return the effective interest of everybody in the target. Its own weight is 1 and more.

        A set that owns itself entirely has nobody above. At most, whoever is in a loop whose shares
        could exceed the whole counts as holding everything.
        """
        inflow = {target: ALL}
        weights, closed = dict[str, Fraction](), list[frozenset[str]]()
        for loop in loops_and_parties(self.above, target):
            found = self._solved(loop, inflow)
            if found is None:
                found = {one: ALL if self.is_most else inflow.get(one, NONE) for one in loop}
                closed.append(frozenset(loop))
            weights |= found
            for owned in loop:
                for owner, share in self.shares.get(owned, {}).items():
                    if owner not in found:
                        inflow[owner] = inflow.get(owner, NONE) + share * found[owned]
        return Reached(weights, tuple(closed))

    def _solved(
        self, loop: list[str], inflow: Mapping[str, Fraction]
    ) -> dict[str, Fraction] | None:
        """Solve the weights in one loop. None if the parties own each other entirely."""
        if len(loop) == 1:
            return {loop[0]: inflow[loop[0]]}
        inside = {one: {k: s for k, s in self.shares[one].items() if k in loop} for one in loop}
        sums = [sum(owners.values()) for owners in inside.values()]
        if min(sums) >= ALL or max(sums) > ALL:
            return None
        return _solve(inside, {one: inflow.get(one, NONE) for one in loop})


def graph_of(structure: Structure, layer: Layer, *, is_most: bool = False) -> ShareGraph:
    """Return the direct shares in each party. Nominators have what their nominees hold."""
    shares = {
        owned: _bounded(_parts(holdings, layer), is_most=is_most)
        for owned, holdings in structure.owners_in.items()
    }
    for nominee, nominators in nominators_of(structure).items():
        alone = len(nominators) == 1
        if nominators and (alone or is_most):
            shares[nominee] = dict.fromkeys(nominators, ALL)
    return ShareGraph({owned: parts for owned, parts in shares.items() if parts}, is_most)


def layers_of(structure: Structure) -> list[Layer]:
    """Return shares and votes, and the other layers in which something is held."""
    interests = {holding.interest for holding in structure.holdings}
    others = [layer for layer, interest in _INSTEAD_OF_SHARES.items() if interest in interests]
    return [Layer.SHARES, Layer.VOTES, *others]


def nominators_of(structure: Structure) -> dict[str, list[str]]:
    """Return for whom each nominee holds or acts. Nobody, if that is not given.

    A nominee's role is of the nominator, or of the party in which the nominee holds or acts.
    """
    held = {(one.owner, one.owned) for one in structure.holdings}
    found, places = dict[str, list[str]](), set[str]()
    for role in structure.roles:
        if role.role != RoleKind.NOMINEE:
            continue
        nominators = found.setdefault(role.party, [])
        if role.of == BUSINESS or (role.party, role.of) in held:
            places.add(role.of)
            nominators += structure.with_role(role.of, RoleKind.NOMINATOR)
        else:
            nominators.append(role.of)
    for role in structure.roles:
        if role.role == RoleKind.NOMINATOR and role.of not in {BUSINESS, *places}:
            found.setdefault(role.of, []).append(role.party)
    return {
        nominee: [one for one in dict.fromkeys(nominators) if one != nominee]
        for nominee, nominators in found.items()
    }


def owners_above(shares: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return everybody above each owned party. A party in a loop is above itself."""
    numbers: dict[str, int] = {}
    for owned, owners in shares.items():
        for one in (owned, *owners):
            numbers.setdefault(one, len(numbers))
    # Sets of parties as bits of an integer, because there may be loops of 200 parties.
    masks = {owned: sum(1 << numbers[k] for k in set(owners)) for owned, owners in shares.items()}
    changed = True
    while changed:
        changed = False
        for owned, owners in reversed(list(shares.items())):
            mask = masks[owned]
            for owner in owners:
                mask |= masks.get(owner, 0)
            if mask != masks[owned]:
                masks[owned], changed = mask, True
    names = list(numbers)
    return {owned: frozenset(_members(mask, names)) for owned, mask in masks.items()}


def loops_and_parties(above: Mapping[str, frozenset[str]], target: str) -> list[list[str]]:
    """Return the target and everybody above it, owned parties first, those in one loop together."""
    nodes = {target, *above.get(target, ())}
    in_loop = {one for one in nodes if one in above.get(one, ())}
    found: dict[frozenset[str] | str, list[str]] = {}
    # Everybody above an owner is also above what it owns, and a loop has the same above it.
    for one in sorted(nodes, key=lambda one: (-len(above.get(one, ())), one in in_loop, one)):
        found.setdefault(above[one] if one in in_loop else one, []).append(one)
    return list(found.values())


def percent(part: Fraction) -> str:
    """Return a part of 1 as a percentage with at most four decimals: "13.2651 %"."""
    written = f"{round(part * 1_000_000):07d}"
    return f"{int(written[:-4])}.{written[-4:]}".rstrip("0").rstrip(".") + " %"


def _parts(holdings: Iterable[Holding], layer: Layer) -> dict[str, InterestRange]:
    if layer == Layer.VOTES:
        return _votes(list(holdings))
    own = [one for one in holdings if one.interest == _INSTEAD_OF_SHARES.get(layer)]
    return _summed(own or [one for one in holdings if one.interest == Interest.SHAREHOLDING])


def _votes(holdings: list[Holding]) -> dict[str, InterestRange]:
    """Return the votes of each owner: as given, else like the shares in what remains."""
    given = _summed(
        one if one.votes is None else Holding(one.owner, one.owned, least=one.votes, most=one.votes)
        for one in holdings
        if one.interest == Interest.VOTING_RIGHTS or one.votes is not None
    )
    shares = _summed(
        one for one in holdings if one.interest == Interest.SHAREHOLDING and one.owner not in given
    )
    left = max(NONE, ALL - sum((votes.least for votes in given.values()), NONE))
    total = sum((part.least for part in shares.values()), NONE)
    if total > left:
        for owner, share in shares.items():
            least = share.least * left / total
            shares[owner] = InterestRange(least, least if share.is_exact else share.most)
    return given | shares


def _summed(holdings: Iterable[Holding]) -> dict[str, InterestRange]:
    found: dict[str, InterestRange] = {}
    for one in holdings:
        was = found.get(one.owner, InterestRange())
        found[one.owner] = InterestRange(was.least + one.least, was.most + one.most)
    return found


def _bounded(parts: Mapping[str, InterestRange], *, is_most: bool) -> dict[str, Fraction]:
    """Return the parts at their least, or at the most that the others' least leave."""
    least = sum((part.least for part in parts.values()), NONE)
    found = {
        owner: max(part.least, min(part.most, ALL - least + part.least)) if is_most else part.least
        for owner, part in parts.items()
    }
    return {owner: part for owner, part in found.items() if part}


def _solve(
    inside: Mapping[str, Mapping[str, Fraction]], inflow: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """Solve weight(k) = inflow(k) + sum of share(k, e) * weight(e), by elimination."""
    # One row for each party: what its weight takes of the others' weights.
    rows: dict[str, dict[str, Fraction]] = {one: {} for one in inside}
    known = dict(inflow)
    for owned, owners in inside.items():
        for owner, share in owners.items():
            rows[owner][owned] = share
    left, done = set(rows), list[str]()
    while left:
        # The party with the fewest terms, so that few terms are added to the others.
        one = min(left, key=lambda k: (len(rows[k]), k))
        row = rows[one]
        rest = ALL - row.pop(one, NONE)
        known[one] /= rest
        rows[one] = row = {k: share / rest for k, share in row.items()}
        left.discard(one)
        done.append(one)
        for other in left:
            if part := rows[other].pop(one, NONE):
                known[other] += part * known[one]
                for k, share in row.items():
                    rows[other][k] = rows[other].get(k, NONE) + part * share
    weights: dict[str, Fraction] = {}
    for one in reversed(done):
        weights[one] = known[one] + sum((s * weights[k] for k, s in rows[one].items()), NONE)
    return weights


def _members(mask: int, names: list[str]) -> Iterator[str]:
    while mask:
        lowest = mask & -mask
        yield names[lowest.bit_length() - 1]
        mask ^= lowest
