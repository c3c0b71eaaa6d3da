"""Structures written briefly: "Ana 60 App" is a holding of 60 % of the business."""

from fractions import Fraction
from typing import Any

from onboarding.ownership.owners import Ownership, owners_of
from onboarding.ownership.structure import ANSWER, BUSINESS, Structure, structure_of
from onboarding.ownership.thresholds import THRESHOLDS, ThresholdRule

OURS, HIGH, UK = (
    next(one for one in THRESHOLDS if one.rule == rule)
    for rule in (ThresholdRule.OURS, ThresholdRule.OURS_HIGH, ThresholdRule.UK)
)
# The names of people. All others are entities.
PEOPLE = frozenset(
    [
        "Ana",
        "Ben",
        "Cara",
        "Dia",
        "Eve",
        "Finn",
        "Hugo",
        "Iris",
        "Jon",
        "K",
        "Lea",
        "Max",
        "P1",
        "G",
        "X",
        "Z",
        "z",
        "o1",
        "o2",
        "o3",
        "S",
        "Q",
        "B",
        "Nora",
        "Kim",
    ]
)


def answer(
    holdings: str, *, kinds: dict[str, str] | None = None, roles: str = "", **more: Any
) -> dict[str, Any]:
    """Return the stored answer of lines "owner share owned [interest] [votes]".

    A share is "60", "20-30" or "-". `roles` are lines "party role of". `more` has parts of parties
    by name.
    """
    rows = [line.split() for line in holdings.strip().split(";") if line.strip()]
    acts = [line.split() for line in roles.strip().split(";") if line.strip()]
    names = dict.fromkeys(name for one, _, of, *_ in (*rows, *acts) for name in (one, of))
    names.pop("App", None)
    return {
        "parties": [
            _party(name, (kinds or {}).get(name, ""), more.get(name, {})) for name in names
        ],
        "holdings": [_holding(*row) for row in rows],
        "roles": [{"party": one, "role": role, "of": _id(of)} for one, role, of in acts],
    }


def structure(holdings: str, **more: Any) -> Structure:
    return structure_of({ANSWER: answer(holdings, **more)})


def owned(holdings: str, threshold: Any = OURS, **more: Any) -> Ownership:
    return owners_of(structure(holdings, **more), threshold)


def interest(ownership: Ownership, name: str) -> Fraction:
    (one,) = [one for one in ownership.positions if one.party.name == name]
    assert one.interest.is_exact
    return one.interest.least


def met(ownership: Ownership) -> dict[str, list[str]]:
    """Return the tests that each owner meets, by name."""
    return {one.party.name: [str(test) for test in one.tests] for one in ownership.owners}


def findings(ownership: Ownership) -> list[str]:
    return [str(one.kind) for one in ownership.findings]


def _party(name: str, kind: str, more: dict[str, Any]) -> dict[str, Any]:
    kind = kind or ("person" if name in PEOPLE else "entity")
    born = {"born": "1980-01-31"} if kind == "person" else {}
    return {"id": name, "kind": kind, "name": name, "country": "GB", **born, **more}


def _holding(
    owner: str, share: str, owns: str, interest: str = "", votes: str = ""
) -> dict[str, str]:
    least, _, most = share.partition("-")
    parts = {"share_min": least, "share_max": most} if least and most else {"share": least}
    said = {
        "owner": _id(owner),
        "owned": _id(owns),
        "interest": interest or "shareholding",
        **parts,
    }
    return {key: text for key, text in (said | {"votes": votes}).items() if text}


def _id(name: str) -> str:
    return BUSINESS if name == "App" else name
