"""Who owns, runs and controls a business: what is typed, stored, shown, and still to be added."""

from contextlib import suppress
from datetime import date
from typing import Any

import pytest

from onboarding.questionnaire import (
    answering,
    form_values,
    ownership_answer,
    question_kinds,
    showing,
)
from onboarding.questionnaire.answer_problems import Context, Unreadable
from onboarding.questionnaire.edition_schema import Question, QuestionKind
from onboarding.restrictions.restricted_list import RestrictionScope

ASKED = Question("own", "Owners", QuestionKind.OWNERSHIP)
CONTEXT = Context(date(2026, 11, 29))
DIA = {
    "id": "p1", "name": "Dia Moss", "kind": "person", "country": "GB", "born": "1980-01-31",
    "director": "yes", "holds.0.owned": "p2", "holds.0.share": "30", "holds.1.owned": "business",
    "holds.1.share": "5 %",
}  # fmt: skip
X = {
    "id": "p2", "name": "X Ltd", "kind": "entity", "country": "GB", "number": "123",
    "holds.0.owned": "business", "holds.0.share": "40 – 60", "holds.0.votes": "50",
}  # fmt: skip
TRUST = {
    "id": "p3", "name": "Moss Family Trust", "kind": "arrangement", "country": "JE",
    "holds.0.owned": "p2", "holds.0.share": "70",
}  # fmt: skip
CITY = {
    "id": "p4", "name": "City Bank plc", "kind": "listed", "country": "GB", "market": "xlon",
    "acts.0.role": "trustee", "acts.0.of": "p3",
}  # fmt: skip


def read(*rows: dict[str, str]) -> Any:
    return question_kinds.read(ASKED, list(rows), CONTEXT)


def problems(*rows: dict[str, str]) -> dict[str, str]:
    with pytest.raises(Unreadable) as refused:
        read(*rows)
    return {one.path.removeprefix("own."): one.message for one in refused.value.problems}


def test_what_is_typed_is_stored_without_floats():
    stored = read(DIA, X)

    assert stored["parties"][1] == {
        "id": "p2", "kind": "entity", "name": "X Ltd", "country": "GB", "number": "123",
    }  # fmt: skip
    assert stored["holdings"] == [
        {"owner": "p1", "owned": "p2", "interest": "shareholding", "share": "30"},
        {"owner": "p1", "owned": "business", "interest": "shareholding", "share": "5"},
        {
            "owner": "p2", "owned": "business", "interest": "shareholding",
            "share_min": "40", "share_max": "60", "votes": "50",
        },
    ]  # fmt: skip
    assert stored["roles"] == [{"party": "p1", "role": "director", "of": "business"}]


def test_a_stored_answer_is_shown_as_it_is_typed_and_read_again_is_the_same():
    stored = read(DIA, X, TRUST, CITY)
    again: Any = form_values.shown(ASKED, stored)

    assert read(*again) == stored
    assert form_values.is_untouched(ASKED, again, again)
    assert form_values.is_untouched(ASKED, [*again, {"id": "p9", "kind": "person"}], again)
    assert not form_values.is_untouched(ASKED, again[:-1], again)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "riddle"}, {"country": "XX"}, {"born": "1980-02-31"}, {"holds.0.owned": "p77"},
        {"holds.0.interest": "love"}, {"acts.0.role": "king", "acts.0.of": "p99"}, {"end": "soon"},
    ],
)  # fmt: skip
def test_what_a_browser_cannot_show_is_no_change_when_it_sends_the_rest_back(changes):
    back = [DIA | dict.fromkeys(changes, ""), X]

    assert form_values.is_untouched(ASKED, back, [DIA | changes, X])


def test_nobody_is_no_answer():
    assert read() is None
    assert read({"id": "p1", "kind": "person", "holds.0.owned": "business"}) is None


@pytest.mark.parametrize(
    ("changes", "where", "words"),
    [
        ({"name": ""}, "0.name", "Row 1: fill in “Name”."),
        ({"born": ""}, "0.born", "Row 1: fill in “Date of birth”."),
        ({"born": "2027-01-01"}, "0.born", "not in the future"),
        ({"country": "XX"}, "0.country", "Choose a country"),
        ({"kind": "riddle"}, "0.kind", "Choose from the answers"),
        ({"name": "x" * 201}, "0.name", "200 characters"),
        ({"name": "Dia \x07Moss"}, "0.name", ""),
        ({"holds.1.share": ""}, "", ""),
        ({"holds.1.share": "a lot"}, "0.holds.1.share", "Enter a percentage in digits"),
        ({"holds.1.share": "101"}, "0.holds.1.share", "between 0 and 100"),
        ({"holds.1.share": "0"}, "0.holds.1.share", "more than zero"),
        ({"holds.1.share": "30-20"}, "0.holds.1.share", "smaller share first"),
        ({"holds.1.share": "10-20-30"}, "0.holds.1.share", "like 60 or 20-30"),
        ({"holds.1.votes": "many"}, "0.holds.1.votes", "Enter a percentage in digits"),
        ({"holds.1.owned": "p1"}, "0.holds.1.owned", "Dia Moss cannot own itself."),
        ({"holds.1.owned": "p7"}, "0.holds.1.owned", "Choose what Dia Moss owns."),
        ({"holds.1.owned": ""}, "0.holds.1.owned", "Choose what Dia Moss owns."),
        ({"holds.1.interest": "love"}, "0.holds.1.interest", "Choose from the answers"),
        ({"acts.0.role": "king"}, "0.acts.0.role", "Choose from the answers"),
        ({"acts.0.role": "acts_for"}, "0.acts.0.of", "Choose for whom."),
        ({"acts.0.role": "settlor", "acts.0.of": "p2"}, "0.acts.0.of", "Choose the trust"),
    ],
)  # fmt: skip
def test_each_problem_is_told_at_its_field(changes, where, words):
    if not where:
        assert len(read(DIA | changes, X)["holdings"]) == 2
        return
    found = problems(DIA | changes, X)

    assert list(found) == [where]
    assert words in found[where]


def test_the_code_of_a_market_has_four_letters():
    assert read(TRUST, X, CITY)["parties"][2]["market"] == "XLON"
    assert "XLON" in problems(TRUST, X, CITY | {"market": "LSE"})["2.market"]
    assert list(problems(TRUST, X, CITY | {"market": ""})) == ["2.market"]


def test_no_more_than_all_of_a_company_is_owned():
    found = problems(DIA | {"holds.0.share": "60"}, X, TRUST | {"holds.0.share": "40.5"})

    assert found == {
        "2.holds.0.share": "The shares add up to 100.5 %, which is more than 100 %. Check them."
    }
    # The least of a range counts: a total of 100 % is still possible.
    assert read(DIA | {"holds.0.share": "30-90"}, X, TRUST)


def test_companies_may_own_each_other():
    assert read(X | {"holds.1.owned": "p5", "holds.1.share": "80"},
                {"id": "p5", "name": "H Ltd", "kind": "entity", "country": "GB",
                 "holds.0.owned": "p2", "holds.0.share": "10"})  # fmt: skip


def test_there_are_two_hundred_parties_at_most():
    rows = [{**DIA, "id": "", "name": f"Dia {n}", "holds.0.owned": "", "holds.0.share": "",
             "holds.1.share": "0.1"} for n in range(200)]  # fmt: skip

    assert len(read(*rows)["parties"]) == 200
    assert list(problems(*rows, DIA)) == ["own"] or "own" in problems(*rows, DIA)


def test_parties_without_an_id_get_a_free_one_and_nobody_loses_theirs():
    rows = [DIA | {"id": ""}, X, DIA | {"id": "p2"}, DIA | {"id": "<script>"}]

    assert ownership_answer.ids_of(rows) == ["p1", "p2", "p3", "p4"]


@pytest.mark.parametrize("typed", ["60", ["x"], [["x"]], [None], {"parties": []}, [{"id": 7}]])
def test_other_shapes_are_refused_or_no_answer(typed):
    with suppress(Unreadable):
        assert question_kinds.read(ASKED, typed, CONTEXT) is None
    list(answering.places(ASKED, typed))
    form_values.is_untouched(ASKED, typed, [])


def missing(*rows: dict[str, str]) -> list[str]:
    return [one.message for one in ownership_answer.unfinished(ASKED, read(*rows))]


def test_what_is_still_to_be_added_is_told():
    assert missing(TRUST | {"holds.0.share": "", "director": "yes"}) == [
        "Add who owns the business directly.",
        "Add the settlor or founder of Moss Family Trust.",
        "Add a trustee or board member of Moss Family Trust.",
    ]
    assert missing(X) == [
        "Add who owns X Ltd, or say why you cannot name its owners.",
        "Tick who is a director of the business.",
    ]
    idle = {"name": "Ben", "country": "GB", "born": "1980-01-01"}
    assert missing(DIA, X, idle) == ["Say what share Ben owns, or what they do."]
    assert missing(DIA, X) == missing(DIA | {"holds.0.share": ""}, X | {"end": "unknown"}) == []


def test_each_party_is_a_line():
    assert showing.lines(ASKED, read(DIA, X, TRUST, CITY)) == [
        "Dia Moss, United Kingdom, born 31 Jan 1980; owns 30 % of X Ltd; owns 5 % of the business; "
        "director of the business",
        "X Ltd, a company or other organisation, United Kingdom, number 123; "
        "owns 40–60 % of the business (50 % of the votes)",
        "Moss Family Trust, a trust, foundation or similar, Jersey; owns 70 % of X Ltd",
        "City Bank plc, a company listed on a stock exchange, United Kingdom, market XLON; "
        "trustee or board member of Moss Family Trust",
    ]


def test_countries_are_found_in_what_is_typed_and_in_what_is_stored():
    expected = [
        ("GB", RestrictionScope.RESIDENCE, "own.0.country"),
        ("GB", RestrictionScope.INCORPORATION, "own.1.country"),
    ]
    for answer in ([DIA, X], read(DIA, X)):
        found = answering.places(ASKED, answer)
        assert [(one.country, one.scope, one.path) for one in found] == expected


@pytest.mark.parametrize("size", [25, 26])
def test_a_loop_of_too_many_is_refused_before_it_is_computed(size):
    ring = [
        {
            "id": f"p{n}", "name": f"Ring {n} Ltd", "kind": "entity", "country": "GB",
            "holds.0.owned": f"p{n % size + 1}", "holds.0.share": "50",
        }
        for n in range(1, size + 1)
    ]  # fmt: skip
    if size <= ownership_answer.MOST_IN_A_LOOP:
        assert len(read(*ring)["holdings"]) == size
    else:
        assert "in a loop" in problems(*ring)["own"]
