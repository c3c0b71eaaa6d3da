"""The sanctions cascade: examples S1 to S4, by the rules of OFAC and OFSI."""

from fractions import Fraction

import pytest

from onboarding.ownership.cascade import Regime, cascade
from onboarding.ownership.interests import percent
from onboarding.ownership.structure import BUSINESS
from tests.onboarding.ownership.examples import interest, owned, structure

S1 = "X 50 A; A 50 App"
S2 = "X 50 A; X 50 B1; A 25 App; B1 25 App"
S3 = "X 50 A; X 25 B1; A 25 App; B1 25 App"
S4 = "X 25 App; Z 25 App"


@pytest.mark.parametrize(
    ("holdings", "multiplied", "blocked", "counted"),
    [
        (S1, "25 %", {"A", BUSINESS}, 50),
        (S2, "25 %", {"A", "B1", BUSINESS}, 50),
        (S3, "18.75 %", {"A"}, 25),
        (S4, "25 %", {BUSINESS}, 50),
    ],
)
def test_ofac_adds_up_what_blocked_parties_own(holdings, multiplied, blocked, counted):
    found = cascade(structure(holdings), ["X", "Z"], Regime.OFAC)

    assert percent(interest(owned(holdings), "X")) == multiplied
    assert set(found.blocked) - {"X", "Z"} == blocked
    assert found.counted == Fraction(counted, 100)
    assert found.is_blocked == (BUSINESS in blocked)
    assert found.is_near == (not found.is_blocked)


@pytest.mark.parametrize("holdings", [S1, S2, S3, S4])
def test_ofsi_looks_at_each_and_asks_for_more_than_half(holdings):
    found = cascade(structure(holdings), ["X", "Z"], Regime.OFSI)

    assert not found.is_blocked
    assert found.is_near == (holdings != S3)


def test_ofsi_counts_control():
    board = structure("Ana 100 App; X - App appointmentOfBoard")

    assert cascade(board, ["X"], Regime.OFSI).blocked[BUSINESS] == (
        "X controls it with the right to appoint its board."
    )
    assert not cascade(board, ["X"], Regime.OFAC).is_blocked
    chain = structure("X 51 A; A 51 App; Ana 49 App; Ben 49 A")
    assert cascade(chain, ["X"], Regime.OFSI).is_blocked


def test_a_range_counts_at_its_most():
    assert cascade(structure("X 40-60 App; Ana 40 App"), ["X"], Regime.OFAC).is_blocked
    assert not cascade(structure("X 40-60 App; Ana 51 App"), ["X"], Regime.OFAC).is_blocked


def test_nobody_listed_blocks_nothing():
    assert cascade(structure(S1), ["somebody"], Regime.OFAC).blocked == {}
