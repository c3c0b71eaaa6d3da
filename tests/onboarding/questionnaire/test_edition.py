"""A questionnaire edition is validated before it is used."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from console.core.money import CURRENCIES
from console.publishing.files import FileFault
from onboarding.questionnaire.loading import EDITIONS

PUBLISHED = Path(__file__).parent / "published_editions.json"
SECTIONS = [
    "Legal identity",
    "Ownership",
    "Business model",
    "Products",
    "Corridors",
    "Expected volumes",
    "Funds flow",
    "Settlement model",
    "Licensing",
    "Data handling",
    "Downstream merchants",
    "Risk indicators",
]
PLAIN = {
    "key": "test",
    "version": "1",
    "declaration": "True.",
    "sections": [
        {
            "key": "one",
            "title": "One",
            "group": "All",
            "hint": "",
            "lede": "",
            "minutes": 1,
            "questions": [
                {"key": "a", "label": "A", "kind": "yes_no"},
                {
                    "key": "b",
                    "label": "B",
                    "kind": "choice",
                    "options": [{"key": "x", "label": "X"}, {"key": "y", "label": "Y"}],
                },
                {"key": "c", "label": "C", "kind": "text"},
            ],
        }
    ],
}


def changed(question, **members):
    document: Any = deepcopy(PLAIN)
    found = next(q for q in document["sections"][0]["questions"] if q["key"] == question)
    found |= members
    return document


def test_it_has_the_twelve_sections_of_the_specification_in_order():
    assert [section.title for section in EDITIONS.newest().sections] == SECTIONS


def test_it_offers_every_product_but_those_that_are_always_included():
    from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS

    asked = {option.key for option in EDITIONS.newest().by_key["pr_products"].options}

    assert asked == set(PRODUCTS) - set(BASE_PRODUCTS)


@pytest.mark.parametrize("key", ["vo_currency", "se_currencies"])
def test_it_offers_every_currency_that_we_hold(key):
    assert [option.key for option in EDITIONS.newest().by_key[key].options] == list(CURRENCIES)


def test_every_country_that_is_asked_for_is_matched_with_the_restricted_list():
    parts = [part for question in EDITIONS.newest() for part in (question, *question.columns)]
    naming = [part for part in parts if part.kind in ("country", "countries", "address")]

    assert naming
    assert not [part.key for part in naming if part.restricted_as is None]


def test_every_question_is_somebodys_to_read():
    known = {"compliance", "commercial", "legal"}

    assert not [question.key for question in EDITIONS.newest() if set(question.scope) - known]


def test_the_same_edition_has_the_same_hash_and_a_changed_one_another():
    assert EDITIONS.parse(PLAIN).sha256 == EDITIONS.parse(deepcopy(PLAIN)).sha256
    assert EDITIONS.parse(PLAIN).sha256 != EDITIONS.parse(changed("a", label="Another")).sha256


def test_an_edition_stays_what_it_was():
    """Published editions are frozen; any change of wording needs a new edition."""
    frozen = json.loads(PUBLISHED.read_text())

    assert {version: EDITIONS.load(version).sha256 for version in EDITIONS.versions()} == frozen


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (changed("a", colour="red"), "colour is not known"),
        (changed("a", kind="riddle"), "riddle"),
        (changed("b", options=[]), "options belong to questions with a choice"),
        (changed("a", options=[{"key": "x", "label": "X"}]), "options belong"),
        (changed("a", kind="rows"), "columns belong to rows"),
        (changed("b", key="a"), "a is the key of 2 questions"),
        (changed("a", visible={"field": "z", "op": "is_set"}), "z, which is not asked"),
        (changed("a", visible={"field": "a", "op": "is_set"}), "by its own answer"),
        (
            changed("a", visible={"field": "b", "op": "near", "value": "x"}),
            "near is not an operator",
        ),
        (changed("a", visible={"xor": []}), "is not a condition"),
        (changed("c", visible={"field": "b", "op": "eq", "value": "z"}), "c can never be seen"),
        (
            changed(
                "c",
                visible={
                    "all": [
                        {"field": "a", "op": "eq", "value": True},
                        {"field": "a", "op": "eq", "value": False},
                    ]
                },
            ),
            "c can never be seen",
        ),
        (changed("c", visible={"any": []}), "c can never be seen"),
        (changed("a", key=None, restricted_as="moon"), "moon"),
    ],
)
def test_a_faulty_edition_is_refused_with_the_reason(document, says):
    with pytest.raises(FileFault, match=says):
        EDITIONS.parse(document)


def test_a_circle_of_conditions_is_refused():
    document = changed("a", visible={"field": "b", "op": "eq", "value": "x"})
    document["sections"][0]["questions"][1]["visible"] = {"field": "a", "op": "is_set"}

    with pytest.raises(FileFault, match="by its own answer"):
        EDITIONS.parse(document)


def test_an_edition_that_does_not_exist_is_refused():
    with pytest.raises(FileFault, match="no version"):
        EDITIONS.load("../2026-11")
