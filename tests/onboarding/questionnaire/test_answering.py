"""Which questions apply, which answers are missing, and which contradict each other."""

import pytest

from console.publishing.conditions import ConditionFault, parse
from onboarding.questionnaire import answering
from onboarding.questionnaire.answering import AnswerState
from onboarding.questionnaire.loading import EDITIONS

EDITION = EDITIONS.newest()


def section(key):
    return EDITION.section(key)


def test_a_question_appears_with_the_answer_it_depends_on():
    assert "ff_safeguarding" not in answering.visible(EDITION, {"ff_client_money": False})
    assert "ff_safeguarding" in answering.visible(EDITION, {"ff_client_money": True})


def test_a_hidden_answer_hides_what_depends_on_it():
    answers = {"ri_pep": False, "ri_pep_kind": "foreign", "dm_type": "none", "dm_nested": True}

    assert not {"ri_pep_kind", "dm_nested"} & answering.visible(EDITION, answers)


def test_a_condition_may_look_into_another_section():
    answers = {"lc_needed": "no", "dm_type": "sub_merchants"}

    assert "lc_exemption" in answering.visible(EDITION, answers)
    assert "lc_exemption" not in answering.visible(EDITION, {**answers, "dm_type": "none"})


def test_hidden_answers_are_kept_out_and_named():
    answers = {"ri_pep": False, "ri_pep_people": [{"name": "Ada"}]}

    assert answering.applicable(EDITION, answers) == {"ri_pep": False}
    assert answering.left_out(EDITION, answers) == ["ri_pep_people"]


def test_only_what_is_shown_can_be_missing():
    missing = answering.missing(EDITION, section("downstream"), {"dm_type": "none"})

    assert missing == []


def test_it_names_what_is_missing_in_the_words_of_the_page():
    missing = answering.missing(EDITION, section("downstream"), {})

    assert [p.path for p in missing] == ["dm_type"]
    assert missing[0].message.startswith("Answer “Will others be paid")


@pytest.mark.parametrize(
    ("shares", "fits"), [((60, 40), True), ((60, "40.5"), True), ((60, 41), False)]
)
def test_the_corridors_add_up(shares, fits):
    rows = [{"from": "GB", "to": "GB", "currency": "GBP", "share": str(s)} for s in shares]
    found = answering.contradictions(EDITION, section("corridors"), {"co_rows": rows})

    assert (not found) is fits


def test_one_payment_is_not_more_than_a_month():
    answers = {
        "vo_m12_value": {"minor": 100, "currency": "USD"},
        "vo_max_ticket": {"minor": 101, "currency": "USD"},
    }
    found = answering.contradictions(EDITION, section("volumes"), answers)

    assert [p.path for p in found] == ["vo_max_ticket"]


@pytest.mark.parametrize(
    ("answers", "unreadable", "state"),
    [
        ({}, set(), AnswerState.TODO),
        ({"se_model": "t1"}, set(), AnswerState.PROGRESS),
        ({"se_model": "t1"}, {"se_currencies"}, AnswerState.PROBLEM),
        (
            {
                "se_model": "t1",
                "se_currencies": ["USD"],
                "se_bank_country": "GB",
                "se_third_party": False,
            },
            set(),
            AnswerState.DONE,
        ),
    ],
)
def test_a_section_is_as_far_as_its_answers(answers, unreadable, state):
    found = answering.state(EDITION, section("settlement"), answers, frozenset(unreadable))

    assert found is state


def test_every_country_in_an_answer_is_found_wherever_it_stands():
    question = EDITION.by_key["co_rows"]
    rows = [{"from": "GB", "to": "KP"}, {"from": "IR", "share": "lots"}]

    found = [(place.country, place.path) for place in answering.places(question, rows)]

    assert found == [
        ("GB", "co_rows.0.from"),
        ("KP", "co_rows.0.to"),
        ("IR", "co_rows.1.from"),
    ]


@pytest.mark.parametrize(
    ("op", "value", "answer", "holds"),
    [
        ("eq", "a", "a", True),
        ("eq", None, None, False),
        ("ne", "a", None, True),
        ("in", ["a", "b"], "b", True),
        ("in", ["a"], None, False),
        ("not_in", ["a"], "b", True),
        ("not_in", ["a"], None, False),
        ("contains", "a", ["a"], True),
        ("contains", "a", "a", False),
        ("intersects", ["a", "b"], ["b"], True),
        ("gt", 1, 2, True),
        ("gte", 2, 2, True),
        ("lt", 1, None, False),
        ("lte", 1, True, False),
        ("is_set", None, False, True),
        ("is_set", None, None, False),
        ("count_gte", 2, ["a", "b"], True),
    ],
)
def test_the_language_of_conditions(op, value, answer, holds):
    assert parse({"field": "q", "op": op, "value": value}).holds({"q": answer}) is holds


def test_conditions_combine():
    both = parse({"all": [{"field": "a", "op": "is_set"}, {"not": {"field": "b", "op": "is_set"}}]})
    one = parse({"any": [{"field": "a", "op": "is_set"}, {"field": "b", "op": "is_set"}]})

    assert both.holds({"a": 1})
    assert not both.holds({"a": 1, "b": 1})
    assert one.holds({"b": 1})
    assert not one.holds({})


def test_nothing_else_is_a_condition():
    with pytest.raises(ConditionFault):
        parse({"all": [], "any": []})
