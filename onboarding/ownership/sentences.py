"""One sentence for each party that says what it has and why it is an owner, from the paths."""

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from django.utils.translation import gettext as _

from console.core.text import isolated
from onboarding.ownership.control import ControlStep
from onboarding.ownership.interests import ALL, NONE, Layer, graph_of, owners_above, percent
from onboarding.ownership.owners import Ownership, OwnerTest, Position
from onboarding.ownership.structure import BUSINESS, IN_ARRANGEMENTS, Structure

# Paths that a sentence names, and steps in search of them. There may be millions of paths.
_MOST_PATHS = 5
_MOST_STEPS = 100

Path = tuple[Fraction, tuple[str, ...], tuple[Fraction, ...]]


def sentences(ownership: Ownership) -> dict[str, str]:
    """Return a sentence for each party that has a part of the business, controls it, or both."""
    paths = _Paths(ownership.structure)
    found = {one.party.id: _sentence(ownership, one, paths) for one in ownership.positions}
    return {party: sentence for party, sentence in found.items() if sentence}


def _sentence(ownership: Ownership, one: Position, paths: "_Paths") -> str:
    structure, name = ownership.structure, isolated(one.party.name)
    said = list[str]()
    if one.interest:
        part = f"{one.interest}{paths.explain(one)}"
        said.append(_("%(name)s holds %(part)s.") % {"name": name, "part": part})
    if one.votes and one.votes != one.interest:
        words = _("%(name)s has %(part)s of the votes.")
        said.append(words % {"name": name, "part": str(one.votes)})
    if one.controls:
        what = _control(structure, one)
        said.append(_("%(name)s controls %(what)s.") % {"name": name, "what": what})
    if not one.controls and OwnerTest.MIXED in one.tests:
        words = _(
            "%(name)s controls a direct owner of the business, or owns part of who controls it."
        )
        said.append(words % {"name": name})
    said += [
        _("%(name)s is %(role)s of %(of)s.")
        % {"name": name, "role": role.role, "of": _name(structure, role.of)}
        for role in structure.roles_of(one.party.id)
        if role.role in IN_ARRANGEMENTS
    ]
    return " ".join(said)


def _control(structure: Structure, one: Position) -> str:
    """Return the steps of control: "A with 51 % of the shares, and the business with ..."."""
    parts = [_step(structure, step, one.party.id) for step in one.steps]
    return ", and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _step(structure: Structure, step: ControlStep, party: str) -> str:
    through = [_name(structure, by) for by in step.by if by != party]
    how = f"{_name(structure, step.owned)} with {step.how}"
    return f"{how} through {' and '.join(through)}" if through else how


def _name(structure: Structure, party: str) -> str:
    return isolated(structure.name_of(party))


class _Paths:
    """The ways from the business up to each party, at exact shares."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.shares = graph_of(structure, Layer.SHARES).shares
        self.above = owners_above(self.shares)

    def explain(self, one: Position) -> str:
        """Return ": 15 % through X (30 % × 50 %) and 5 % directly", or "" if that says nothing."""
        if not one.interest.is_exact:
            return ""
        shortest = list(islice(self._to(one.party.id), _MOST_PATHS))
        shown = sorted(shortest, key=lambda path: (-path[0], path[1]))
        if [path[1] for path in shown] == [()] and shown[0][0] == one.interest.least:
            return " directly"
        parts = [self._words(path) for path in shown if path[1]]
        parts += [f"{percent(part)} directly" for part, between, _ in shown if not between]
        if (rest := one.interest.least - sum((path[0] for path in shown), NONE)) > 0:
            parts.append(f"{percent(rest)} through {'other' if shown else 'many'} paths")
        return ": " + " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

    def _words(self, path: Path) -> str:
        part, between, shares = path
        through = " and ".join(_name(self.structure, one) for one in between)
        product = " × ".join(percent(share) for share in shares)
        return f"{percent(part)} through {through} ({product})"

    def _to(self, party: str) -> Iterator[Path]:
        """Yield paths as their product, the parties between, and shares, from the party down."""
        waiting = deque[Path]([(ALL, (), ())])
        for _step in range(_MOST_STEPS):
            if not waiting:
                return
            part, between, shares = waiting.popleft()
            here = between[0] if between else BUSINESS
            for owner, share in self.shares.get(here, {}).items():
                if owner == party:
                    yield part * share, between, (share, *shares)
                elif owner not in (BUSINESS, *between) and party in self.above.get(owner, ()):
                    waiting.append((part * share, (owner, *between), (share, *shares)))
