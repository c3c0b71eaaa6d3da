"""Rules that the risk model must obey, whatever its numbers."""

import json

import pytest
from hypothesis import given as over
from hypothesis import strategies as st

from console.catalogue.definitions import PRODUCTS
from onboarding.questionnaire.loading import EDITIONS
from onboarding.reference.bands import BANDS
from onboarding.risk.assess import assess
from onboarding.risk.model import MODELS, Fact
from onboarding.tiers import Tier, worst
from tests.onboarding.risk.test_examples import PLAIN, outcome


def test_the_weights_add_up_to_a_hundred():
    assert sum(factor.weight for factor in MODELS.newest().factors) == 100


def test_every_indicator_counts_for_a_factor_that_there_is():
    model = MODELS.newest()
    assert {one.factor for one in model.indicators} == {factor.key for factor in model.factors}


def test_what_every_product_weighs_is_said():
    (weighed,) = (one for one in MODELS.newest().indicators if one.fact == "products")
    assert {choice.key for choice in weighed.choices} == set(PRODUCTS)


def test_no_factor_alone_makes_it_high():
    heaviest = max(factor.weight for factor in MODELS.newest().factors)
    high = next(t.from_x100 for t in MODELS.newest().thresholds if t.tier is Tier.HIGH)

    assert heaviest * 100 < high


def test_the_worst_of_everything_is_a_hundred():
    found = assess({name: Fact(None) for name in PLAIN}, MODELS.newest())

    assert found.score_x100 == 10_000


def test_what_is_not_known_counts_as_the_worst_and_says_so():
    found = outcome(age_months=None)
    mark = next(mark for mark in found.marks if mark.indicator == "C1")

    assert (mark.points, mark.unknown) == (25, True)
    assert "not known" in mark.sentence


def test_what_was_not_asked_counts_nothing():
    facts = {name: Fact(value) for name, value in PLAIN.items() if name != "volume_unexplained"}

    assert not [m for m in assess(facts, MODELS.newest()).marks if m.indicator == "T5"]


def test_every_mark_is_a_sentence_that_names_what_was_seen():
    found = outcome(layers=2)
    mark = next(mark for mark in found.marks if mark.indicator == "C2")

    expected = "Companies between the applicant and the furthest owner: two."
    assert (mark.points, mark.sentence) == (15, expected)


@pytest.mark.parametrize(
    ("basis_points", "points"),
    [(1000, 0), (1001, 5), (2500, 5), (2501, 15), (5000, 15), (5001, 25)],
)
def test_shares_on_the_line_count_as_the_model_says(basis_points, points):
    found = outcome(corridor_share_bp=basis_points)

    assert next(m.points for m in found.marks if m.indicator == "G5") == points


def test_several_arrangements_add_up():
    found = outcome(arrangements=["trust", "nominee", "bearer"])

    assert next(m.points for m in found.marks if m.indicator == "C3") == 65


def test_a_mitigant_takes_points_away_but_never_below_nothing():
    assert outcome(standing="listed").factors[1].points == 0
    assert outcome(standing="listed", layers=3).factors[1].points == 15


def test_a_confirmed_sanctions_match_knocks_out_and_a_possible_one_does_not():
    assert outcome(sanctions_match="confirmed").tier is Tier.PROHIBITED
    assert outcome(sanctions_match="possible").tier is Tier.LOW


@over(
    st.fixed_dictionaries(
        {
            "pep": st.sampled_from(["none", "former", "domestic", "foreign"]),
            "band_worst": st.integers(0, 3),
            "nested": st.sampled_from(["yes", "no"]),
            "client_money": st.sampled_from(["yes", "no"]),
            "untraced_bp": st.integers(0, 10_000),
            "monthly_euro_cents": st.integers(0, 10**12),
        }
    )
)
def test_the_tier_is_never_below_a_floor(facts):
    found = outcome(**facts)

    assert found.tier.rank >= worst(Tier.LOW, *(Tier(hit.effect) for hit in found.floors)).rank


def test_the_same_facts_and_model_give_the_same_answer():
    assert outcome(layers=1) == outcome(layers=1)


def test_another_number_is_another_model():
    document = json.loads((MODELS.folder / f"{MODELS.newest().version}.json").read_text())
    changed = json.loads(json.dumps(document))
    changed["factors"][0]["weight"] = 21

    assert MODELS.parse(document).sha256 == MODELS.newest().sha256 != MODELS.parse(changed).sha256


def test_every_line_of_business_has_a_band():
    asked = {option.key for option in EDITIONS.newest().by_key["bm_industry"].options}

    assert asked == set(BANDS.newest().by_industry)


def test_every_indicator_that_a_question_names_exists():
    known = {i.id for i in MODELS.newest().indicators} | {f.id for f in MODELS.newest().floors}
    known |= {k.id for k in MODELS.newest().knock_outs} | {"V", "SCR"}

    assert {name for question in EDITIONS.newest() for name in question.feeds} <= known
