"""Control: who decides in a party, over any number of layers. It does not multiply.

A party controls another if it and those it controls together have more than half of the shares or
votes, or a right that decides. This is repeated until nothing is added.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from onboarding.ownership.interests import Layer, graph_of, nominators_of, percent
from onboarding.ownership.structure import Interest, RoleKind, Structure

_HALF = Fraction(1, 2)
# Rights that decide whatever the share, in words that follow "with".
RIGHTS = {
    Interest.APPOINTMENT_OF_BOARD: "the right to appoint its board",
    Interest.COMPANY_RULES: "rights in its articles",
    Interest.LEGAL_FRAMEWORK: "rights by law",
    Interest.GRANTED_BY_CONTRACT: "rights by a contract",
    Interest.OTHER_INFLUENCE_OR_CONTROL: "other influence",
}
# Rights that may decide one day, or that nobody described.
_POSSIBLE_RIGHTS = {
    Interest.CONDITIONAL_BY_CONTRACT: "conditional rights by a contract",
    Interest.UNKNOWN: "an unknown interest",
    Interest.UNPUBLISHED: "an interest that is not published",
}
_TRUSTEE = "the role of a trustee"
_NOMINATOR = "a nominee agreement"


@dataclass(frozen=True)
class ControlStep:
    """Why a party is controlled: a right or a `part` of the shares or votes, and who has it.

    Those who have it are the party that controls, or parties that it controls.
    """

    owned: str
    what: str
    by: tuple[str, ...]
    part: Fraction | None = None

    @property
    def how(self) -> str:
        """The end of "with ...", as in "51 % of the votes"."""
        return self.what if self.part is None else f"{percent(self.part)} of the {self.what}"


@dataclass(frozen=True)
class ControlGraph:
    """What each party holds directly that counts for control, by owner."""

    shares: Mapping[str, Mapping[str, Fraction]]
    votes: Mapping[str, Mapping[str, Fraction]]
    rights: Mapping[str, Mapping[str, str]]

    def controlled_by(self, party: str) -> dict[str, ControlStep]:
        """Return every party that this one controls, in the order in which that follows."""
        found: dict[str, ControlStep] = {}
        sums: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        holders: dict[tuple[str, str], list[str]] = defaultdict(list)
        waiting = [party]
        for one in waiting:
            steps = [
                ControlStep(owned, what, (one,)) for owned, what in self.rights.get(one, {}).items()
            ]
            for what, held in (("shares", self.shares), ("votes", self.votes)):
                for owned, part in held.get(one, {}).items():
                    sums[owned, what] += part
                    holders[owned, what].append(one)
                    if (total := sums[owned, what]) > _HALF:
                        by = tuple(holders[owned, what])
                        steps.append(ControlStep(owned, what, by, total))
            for step in steps:
                if step.owned != party and step.owned not in found:
                    found[step.owned] = step
                    waiting.append(step.owned)
        return found


def control_graph(structure: Structure, *, is_most: bool = False) -> ControlGraph:
    """Return what counts for control: at the least shares, or at the most and possible rights."""
    rights: dict[str, dict[str, str]] = defaultdict(dict)
    deciding = RIGHTS | (_POSSIBLE_RIGHTS if is_most else {})
    for holding in structure.holdings:
        if how := deciding.get(holding.interest):
            rights[holding.owner][holding.owned] = how
    for role in structure.roles:
        if role.role == RoleKind.TRUSTEE:
            rights[role.party][role.of] = _TRUSTEE
    nominators = nominators_of(structure)
    for nominee, principals in nominators.items():
        for one in principals if is_most or len(principals) == 1 else ():
            rights[one][nominee] = _NOMINATOR
    shares, votes = (
        _by_owner(graph_of(structure, layer, is_most=is_most).shares, without=nominators)
        for layer in (Layer.SHARES, Layer.VOTES)
    )
    return ControlGraph(shares, votes, rights)


def chain(steps: Mapping[str, ControlStep], target: str) -> list[ControlStep]:
    """Return the steps that lead to the control of a target, the first one first."""
    needed, waiting = {target}, [target]
    for one in waiting:
        more: Iterable[str] = [by for by in steps[one].by if by in steps and by not in needed]
        needed.update(more)
        waiting += more
    return [step for owned, step in steps.items() if owned in needed]


def _by_owner(
    shares: Mapping[str, Mapping[str, Fraction]], *, without: Container[str]
) -> dict[str, dict[str, Fraction]]:
    found: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for owned, owners in shares.items():
        for owner, part in owners.items() if owned not in without else ():
            found[owner][owned] = part
    return found
