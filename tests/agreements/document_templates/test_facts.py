"""Facts are checked against their schema, and the message names the invalid fact."""

import pytest

from agreements.document_templates import document_fonts
from agreements.document_templates.facts_check import FactsError, at, check, kind_name
from agreements.packs import commercial_terms
from agreements.packs.commercial_terms import Charges
from tests.agreements.document_templates.facts import CROSSING, KIOSK, LAWS, PRICES, facts


@pytest.mark.parametrize("example", [KIOSK, CROSSING])
def test_the_examples_keep_the_contract(example):
    assert check(facts(example)) == example


def test_missing_and_unknown_facts_are_named():
    wrong = facts()
    wrong["business"]["legal_nane"] = wrong["business"].pop("legal_name")
    with pytest.raises(FactsError) as refused:
        check(wrong)
    assert "facts.business.legal_name is missing" in str(refused.value)
    assert "legal_nane is not a fact that documents know" in str(refused.value)


@pytest.mark.parametrize(
    ("group", "name", "value", "says"),
    [
        ("volumes", "monthly_value", 1250000, "decimal number in quotation marks"),
        ("volumes", "monthly_value", "1,250", "decimal number in quotation marks"),
        ("volumes", "monthly_payments", "8400", "whole number"),
        ("volumes", "monthly_payments", True, "whole number"),
        ("volumes", "monthly_payments", -1, "not below 0"),
        ("volumes", "currency", "usd", "currency code"),
        ("business", "country", "Nigeria", "country code"),
        ("business", "legal_name", "", "one line of text"),
        ("business", "legal_name", "Two\nlines", "one line of text"),
        ("business", "legal_name", "x" * 402, "at most 401"),
        ("business", "legal_name", "Cafe\u0301", "normal form C"),
        ("business", "trading_names", "Crossing", "must be a list"),
        ("pack", "offered_on", "21/11/2026", "a day such as"),
        ("signatory", "basis", "friend", "must be one of"),
        ("licensing", "regulated", "yes", "yes or no"),
    ],
)
def test_a_fact_of_the_wrong_kind_is_refused(group, name, value, says):
    wrong = facts()
    wrong[group][name] = value
    with pytest.raises(FactsError, match=says) as refused:
        check(wrong)
    assert f"{group}.{name}" in str(refused.value)


@pytest.mark.parametrize(
    "character", ["\u202e", "\u2066", "\u200e", "\x07", "\ue000", "\u00ad", "\u0378"]
)
def test_characters_that_deceive_are_refused(character):
    wrong = facts()
    wrong["business"]["legal_name"] = f"Cros{character}sing"
    with pytest.raises(FactsError, match=f"U\\+{ord(character):04X}"):
        check(wrong)


def test_everything_wrong_is_said_at_once():
    wrong = facts()
    wrong["tier"] = "EXTREME"
    wrong["currencies"] = ["NGN", 5]
    with pytest.raises(FactsError) as refused:
        check(wrong)
    assert "facts.tier" in str(refused.value)
    assert "facts.currencies[1]" in str(refused.value)


def test_one_fact_can_be_asked_for():
    assert at(facts(), "governing_law.country") == "NG"
    with pytest.raises(FactsError, match=r"governing_law\.judge is missing"):
        at(facts(), "governing_law.judge")


def test_kinds_have_words():
    assert kind_name("business.legal_name") == "text"
    assert kind_name("tier") == "one of LOW, MEDIUM, HIGH"
    assert kind_name("corridors") == "list of Corridor"
    with pytest.raises(FactsError, match="not a fact"):
        kind_name("business.shoe_size")


def test_letters_without_a_shape_are_known_beforehand():
    assert document_fonts.unprintable("ދ 北京 Kiosk ވދ") == "ދވ"


def test_the_law_follows_the_country_and_is_england_and_wales_otherwise():
    assert commercial_terms.governing_law("KE", LAWS)["law"] == "the laws of Kenya"
    assert commercial_terms.governing_law("FR", LAWS)["country"] == "GB"


def test_a_reserve_is_asked_only_of_high_tier_with_payments_that_can_return():
    volumes = CROSSING["volumes"]
    assert commercial_terms.reserve(["checkout"], "HIGH", volumes, PRICES)["cap"] == "625000.00"
    assert not commercial_terms.reserve(["checkout"], "LOW", volumes, PRICES)["applies"]
    assert not commercial_terms.reserve(["payouts"], "HIGH", volumes, PRICES)["applies"]


def test_every_product_has_a_price_for_every_tier():
    prices = commercial_terms.PRICE_LISTS.newest().prices
    for tier in ("LOW", "MEDIUM", "HIGH"):
        assert all(row.at(tier) != Charges() for row in prices)
    from console.catalogue.definitions import PRODUCTS

    assert {row.product for row in prices} == set(PRODUCTS)
