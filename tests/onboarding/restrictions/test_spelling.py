"""Two spellings of a name: the same, normalised, or only looking the same."""

import pytest

from onboarding.restrictions.spelling import Form, form_that_holds, normalised, skeleton


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
        ("The Ac\u200cme Company", Form.NORMALISED),  # a joiner
        ("The Ac\u200bme Company", Form.NORMALISED),
        ("The Асmе Company", Form.LOOK_ALIKE),
        ("The Apex Company", None),
    ],
)
def test_the_narrowest_form_is_named(name, form):
    assert form_that_holds("Acme", name) is form
