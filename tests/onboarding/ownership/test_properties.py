"""What holds for every structure of owners."""

from fractions import Fraction
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onboarding.ownership.cascade import Regime, cascade
from onboarding.ownership.interests import Layer, graph_of
from onboarding.ownership.owners import owners_of
from onboarding.ownership.sentences import sentences
from onboarding.ownership.structure import ANSWER, BUSINESS, Structure, structure_of
from tests.onboarding.ownership.examples import HIGH, OURS

_MOST = 7


@st.composite
def answers(draw: st.DrawFn, *, with_loops: bool = True) -> dict[str, Any]:
    """Return an answer whose shares add up to at most 100 % of each entity."""
    entities = [f"e{number}" for number in range(draw(st.integers(0, _MOST)))]
    people = [f"p{number}" for number in range(draw(st.integers(1, 4)))]
    holdings = []
    for number, owned in enumerate((BUSINESS, *entities)):
        possible = [*people, *(entities if with_loops else entities[number:])]
        owners = draw(st.lists(st.sampled_from(possible), max_size=4, unique=True))
        left = 100
        for owner in owners:
            share = draw(st.integers(0, left))
            left -= share
            if owner != owned and share:
                holdings.append(
                    {
                        "owner": owner,
                        "owned": owned,
                        "interest": "shareholding",
                        "share": str(share),
                    }
                )
    kinds = [(one, "entity") for one in entities] + [(one, "person") for one in people]
    parties = [
        {"id": one, "kind": kind, "name": one, "country": "GB", "born": "1980-01-31"}
        for one, kind in kinds
    ]
    return {"parties": parties, "holdings": holdings, "roles": []}


def read(answer: dict[str, Any]) -> Structure:
    return structure_of({ANSWER: answer})


@given(answers())
def test_people_and_what_is_untraced_have_everything(answer):
    found = owners_of(read(answer), OURS)
    people = [one.interest.least for one in found.positions if one.party.is_person]

    assert sum(people, Fraction(0)) + found.untraced == 1
    assert all(0 <= part <= 1 for part in people)


@given(answers(), st.randoms(use_true_random=False))
def test_names_and_order_change_nothing(answer, random):
    names = {one["id"]: f"z{number}" for number, one in enumerate(answer["parties"])}
    shuffled = list(names)
    random.shuffle(shuffled)
    new = dict(zip(names, shuffled, strict=True)) | {BUSINESS: BUSINESS}
    parties = [one | {"id": new[one["id"]]} for one in answer["parties"]]
    holdings = [
        one | {"owner": new[one["owner"]], "owned": new[one["owned"]]} for one in answer["holdings"]
    ]
    random.shuffle(parties)
    random.shuffle(holdings)
    was = owners_of(read(answer), OURS)
    now = owners_of(read({"parties": parties, "holdings": holdings}), OURS)

    assert {new[one.party.id]: _facts(one) for one in was.positions} == {
        one.party.id: _facts(one) for one in now.positions
    }
    assert (was.untraced, was.layers) == (now.untraced, now.layers)


def _facts(one: Any) -> tuple[Any, ...]:
    return (
        *(one.interest, one.votes, one.direct, one.tests),
        *(one.is_near, one.is_possible, one.controls),
    )


@given(answers())
def test_a_layer_of_all_shares_changes_nothing(answer):
    owned = [
        {**one, "owned": "top"} if one["owned"] == BUSINESS else one for one in answer["holdings"]
    ]
    top = {"id": "top", "kind": "entity", "name": "Top"}
    whole = {"owner": "top", "owned": BUSINESS, "interest": "shareholding", "share": "100"}
    layered = answer | {"parties": [*answer["parties"], top], "holdings": [*owned, whole]}
    was, now = owners_of(read(answer), OURS), owners_of(read(layered), OURS)

    for before, after in zip(was.positions, now.positions, strict=False):
        assert (before.interest, before.votes) == (after.interest, after.votes)
        assert (before.is_owner or not after.is_owner) or not before.party.is_person
    assert was.untraced == now.untraced


@given(answers(), st.sets(st.sampled_from(["p0", "p1", "e0", "e1"])), st.sampled_from(Regime))
def test_more_listed_parties_never_unblock(answer, listed, regime):
    structure = read(answer)
    fewer = set(cascade(structure, sorted(listed)[:1], regime).blocked)

    assert fewer <= set(cascade(structure, sorted(listed), regime).blocked)


@given(answers(with_loops=False))
def test_without_loops_interest_is_the_sum_over_all_paths(answer):
    structure = read(answer)
    shares = graph_of(structure, Layer.SHARES).shares

    def over_paths(owner: str, owned: str) -> Fraction:
        parts = shares.get(owned, {}).items()
        return sum((s * (1 if k == owner else over_paths(owner, k)) for k, s in parts), Fraction(0))

    for one in owners_of(structure, OURS).positions:
        assert one.interest.least == over_paths(one.party.id, BUSINESS)


@given(answers())
def test_a_lower_threshold_finds_more_owners_and_each_has_a_sentence(answer):
    ours, high = (owners_of(read(answer), threshold) for threshold in (OURS, HIGH))

    assert {one.party.id for one in ours.owners} <= {one.party.id for one in high.owners}
    assert {one.party.id for one in high.owners} <= set(sentences(high))


def _chain(length: int) -> dict[str, Any]:
    names = [BUSINESS, *(f"e{n}" for n in range(length - 1))]
    links = list(zip([*names[1:], "p"], names, strict=True))
    return _answer([(owner, owned, "60") for owner, owned in links])


def _wide(owners: int) -> dict[str, Any]:
    return _answer([(f"p{n}", BUSINESS, "0.5") for n in range(owners)])


def _woven(layers: int, width: int) -> dict[str, Any]:
    """Every company of a layer owns a part of each below: a huge number of paths."""
    rows = [[BUSINESS], *([f"e{n}.{k}" for k in range(width)] for n in range(layers)), ["p"]]
    pairs = zip(rows[1:], rows, strict=False)
    return _answer(
        [
            (owner, owned, str(100 // len(above)))
            for above, below in pairs
            for owner in above
            for owned in below
        ]
    )


def _ring(length: int) -> dict[str, Any]:
    """Companies that each own half of the next one and a third of the one after it."""
    names = [f"e{n}" for n in range(length)]
    holdings = [("e0", BUSINESS, "100"), ("p", "e7", "10")]
    for number, owned in enumerate(names):
        holdings += [
            (names[(number + step) % length], owned, share)
            for step, share in ((1, "50"), (2, "33"))
        ]
    return _answer(holdings)


def _answer(holdings: list[tuple[str, str, str]]) -> dict[str, Any]:
    names = dict.fromkeys(name for one in holdings for name in one[:2] if name != BUSINESS)
    return {
        "parties": [
            {
                "id": name, "kind": "person" if name.startswith("p") else "entity", "name": name,
                "country": "GB", "born": "1980-01-31",
            }
            for name in names
        ],
        "holdings": [
            {"owner": owner, "owned": owned, "interest": "shareholding", "share": share}
            for owner, owned, share in holdings
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [_chain(200), _wide(200), _woven(19, 10), _ring(199)],
    ids=["chain", "wide", "woven", "ring"],
)
def test_two_hundred_parties_are_answered_fast(answer):
    structure = read(answer)
    began = process_time()
    found = owners_of(structure, OURS)
    sentences(found)

    assert process_time() - began < 5
    assert found.positions
