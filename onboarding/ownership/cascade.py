"""The sanctions cascade: which parties are blocked because listed parties own or control them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from onboarding.ownership.control import control_graph
from onboarding.ownership.interests import Layer, graph_of, percent
from onboarding.ownership.structure import BUSINESS, Structure

_HALF, _NEAR = Fraction(1, 2), Fraction(1, 4)


class Regime(StrEnum):
    """Whose rule. OFAC adds up listed owners from 50 %; OFSI looks at each, above 50 % or control.

    OFAC: https://ofac.treasury.gov/faqs/401. OFSI: UK Financial Sanctions, General Guidance, 4.
    """

    OFAC = "ofac"
    OFSI = "ofsi"


@dataclass(frozen=True)
class Cascade:
    """Who is blocked and why, and the part of the business that counts as held by blocked parties.

    `is_near`: at least a quarter of the business counts, which compliance looks at.
    """

    regime: Regime
    blocked: Mapping[str, str]
    counted: Fraction

    @property
    def is_blocked(self) -> bool:
        return BUSINESS in self.blocked

    @property
    def is_near(self) -> bool:
        return not self.is_blocked and self.counted >= _NEAR


def cascade(structure: Structure, listed: Iterable[str], regime: Regime) -> Cascade:
    """Return what follows if these parties are listed. Ranges count at their most."""
    named = [one for one in dict.fromkeys(listed) if one in structure.by_id]
    return _BY_REGIME[regime](structure, named)


def _ofac(structure: Structure, listed: list[str]) -> Cascade:
    shares = graph_of(structure, Layer.SHARES, is_most=True).shares
    blocked = dict.fromkeys(listed, "It is listed.")
    changed = True
    while changed:
        changed = False
        for owned, owners in shares.items():
            total = sum((part for owner, part in owners.items() if owner in blocked), Fraction(0))
            if total >= _HALF and owned not in blocked:
                blocked[owned] = f"Blocked parties own {percent(total)} in total."
                changed = True
    held = shares.get(BUSINESS, {}).items()
    counted = sum((part for owner, part in held if owner in blocked), Fraction(0))
    return Cascade(Regime.OFAC, blocked, counted)


def _ofsi(structure: Structure, listed: list[str]) -> Cascade:
    control = control_graph(structure, is_most=True)
    shares = graph_of(structure, Layer.SHARES, is_most=True)
    blocked = dict.fromkeys(listed, "It is listed.")
    held = shares.shares.get(BUSINESS, {})
    counted = Fraction(0)
    for one in listed:
        steps = control.controlled_by(one)
        for owned, step in steps.items():
            blocked.setdefault(owned, f"{structure.name_of(one)} controls it with {step.how}.")
        direct = sum((part for k, part in held.items() if k == one or k in steps), Fraction(0))
        through = min(Fraction(1), shares.reached(BUSINESS).weights.get(one, Fraction(0)))
        counted = max(counted, direct, through)
    return Cascade(Regime.OFSI, blocked, counted)


_BY_REGIME = {Regime.OFAC: _ofac, Regime.OFSI: _ofsi}
