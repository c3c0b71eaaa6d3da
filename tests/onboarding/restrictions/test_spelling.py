"""Two spellings of a name: identical, equal after normalisation, or only look-alikes."""

import pytest
from confusable_homoglyphs import confusables

from console.core.text import UnsafeText, clean
from onboarding.restrictions.spelling import (
    Form,
    form_that_holds,
    normalised,
    skeleton,
    spellings,
)


@pytest.mark.parametrize("typed", ["Société Zürich", "SOCIETE  ZURICH", "Ｓociete\u00a0Zurich"])
def test_normalised_is_without_case_marks_and_variants(typed):
    assert normalised(typed) == "societe zurich"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "раураӏ"),  # Cyrillic
        ("SATURN", "ЅАТURΝ"),  # Cyrillic, and a Greek capital
        ("modern", "rnodern"),
        ("Illinois", "lllinois"),
        ("O2", "02"),
    ],
)
def test_what_looks_the_same_has_one_skeleton(one, other):
    assert normalised(one) != normalised(other)
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("paypal", "payroll"), ("Kyiv", "Kiev"), ("", "a")])
def test_what_looks_different_has_not(one, other):
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("The Acme Company", Form.WRITTEN),
        ("The ACMÉ Company", Form.NORMALISED),
        ("The Ac\u20ddme Company", Form.NORMALISED),  # a circle around a letter
        ("The Ac\u0488me Company", Form.NORMALISED),
        ("The Ac\u0903me Company", Form.NORMALISED),
        ("The Ac\u200cme Company", Form.NORMALISED),  # a zero-width non-joiner
        ("The Ac\u200bme Company", Form.NORMALISED),
        ("The Асmе Company", Form.LOOK_ALIKE),
        ("The Apex Company", None),
    ],
)
def test_the_narrowest_form_is_named(name, form):
    assert form_that_holds("Acme", name) is form


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ϲrypto", "crypto"),  # a lunate sigma, which NFKC turns into a final one
        ("Ϲrypto", "Crypto"),
        ("acme ￨td", "acme ltd"),
        ("m˛ra", "mira"),
        ("mͺra", "mira"),
        ("ſatoſhi", "fatofhi"),
        ("Satoſhi", "Satoshi"),  # NFKC turns it into a plain s
        ("oﬀshore", "offshore"),
        ("ﻩﻩ", "oo"),  # written from right to left
    ],
)
def test_a_look_alike_is_found_before_and_after_it_is_normalised(typed, meant):
    assert form_that_holds(meant, f"The {typed} Company") is not None
    assert spellings(meant) & spellings(typed)


@pytest.mark.parametrize("blank", ["\U00016fe4", "\U0001d159", "\u3164", "\ufe0f", "\u2800"])
def test_what_leaves_no_ink_divides_nothing(blank):
    assert form_that_holds("acme", f"The ac{blank}me Company") is Form.NORMALISED


def test_every_look_alike_of_one_step_is_found():
    """Every letter of a word is replaced by each of its permitted look-alikes, one at a time."""
    word = "SheafInvestigation Zbquyxjkpwd CMLORTKWPXUYDB 0189"
    table = {
        key.strip("\u200e"): [one["c"].strip("\u200e") for one in listed]
        for key, listed in confusables.confusables_data.items()
    }
    missed = [
        (letter, other)
        for at, letter in enumerate(word)
        for other in table.get(letter, ())
        if _may_be_typed(other)
        and form_that_holds(word, f"{word[:at]}{other}{word[at + 1 :]}") is None
    ]
    assert missed == []


def _may_be_typed(text):
    try:
        return bool(clean(f"a{text}a"))
    except UnsafeText:
        return False
