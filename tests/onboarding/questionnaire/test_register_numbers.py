"""Register numbers as people write them are read, completed, and stated once in documents."""

import pytest

from onboarding.questionnaire import register_entry
from onboarding.questionnaire.loading import EDITIONS
from onboarding.reference import countries, register_numbers

WRITTEN = {
    "AT": {
        "FN 122119 m": "FN 122119m",
        "fn122119m": "FN 122119m",
        "FN 122119m, Handelsgericht Wien": "FN 122119m",
    },
    "AU": {
        "A.C.N. 004 085 616": "004 085 616",
        "ABN 53 004 085 616": "004 085 616",
        "83914571673": "83 914 571 673",
    },
    "BE": {
        "BE 403.019.261": "0403.019.261",
        "BE0403019261": "0403.019.261",
        "RPM Bruxelles 0403.019.261": "0403.019.261",
    },
    "CH": {"CHE-107.787.577 MWST": "CHE-107.787.577", "UID: CHE107787577": "CHE-107.787.577"},
    "CZ": {"IČO: 251 23 891": "25123891"},
    "DE": {
        "HRB 245 178": "HRB 245178",
        "HRB245178": "HRB 245178",
        "HRB Nr. 1": "HRB 1",
        "Amtsgericht München, HRB 245178": "HRB 245178",
        "HRB 86 891 B": "HRB 86891 B",
        "VR 1234": "VR 1234",
    },
    "DK": {"CVR-nr. 13585628": "13585628", "DK13585628": "13585628"},
    "ES": {
        "ES B-58378431": "B58378431",
        "ESB58378431": "B58378431",
        "C.I.F.: B58378431": "B58378431",
        "Hoja M-123456": "M-123456",
    },
    "FI": {"FI20774740": "2077474-0"},
    "FR": {
        "RCS Paris B 443 121 975": "443 121 975",
        "443 121 975 R.C.S. Paris": "443 121 975",
        "FR46 443 121 975": "443 121 975",
        "44312197500013": "443 121 975",
        "SIREN : 443121975": "443 121 975",
    },
    "GB": {
        "SC 12345": "SC012345", "229269": "00229269", "1": "00000001", "NI 1": "NI000001",
        "Company No. 229269": "00229269", "oc 301 540": "OC301540", "１２３４５６７８": "12345678",
    },
    "HK": {"12345678-000-01-23-4": "12345678", "CR No. 1234567": "1234567"},
    "IE": {"1": "1"},
    "IT": {"REA MI - 1234567": "MI-1234567", "IT00743110157": "00743110157", "no-1234": "NO-1234"},
    "JP": {"T5835678256246": "5835678256246", "法人番号 5835678256246": "5835678256246"},
    "KE": {"cpr/2011/12345": "CPR/2011/12345", "PVT-ABC1234": "PVT-ABC1234"},
    "LU": {"R.C.S. Luxembourg B 123.456": "B123456"},
    "NG": {"rc1482093": "RC 1482093", "BN 2345678": "BN 2345678", "1482093": "1482093"},
    "NL": {"KvK 1234567": "01234567", "kvk-nummer: 12345678": "12345678"},
    "NO": {"NO 995 525 828 MVA": "995525828", "Org.nr. 995 525 828": "995525828"},
    "PL": {
        "KRS 123456": "0000123456", "NIP 856-734-62-15": "8567346215", "PL8567346215": "8567346215",
    },
    "RO": {"J52 / 750 / 2012": "J52/750/2012", "RO 18547290": "18547290"},
    "SE": {"5561888404": "556188-8404", "SE556188840401": "556188-8404"},
    "ZA": {"K2011123456": "2011/123456/07", "2011 123456 07": "2011/123456/07"},
    "US": {"5493001KJTIIGC8Y1R12": "5493001KJTIIGC8Y1R12", "123-45 a": "123-45 A"},
}  # fmt: skip
WRONG = [
    ("AU", "004 085 617"), ("BE", "0403.019.262"), ("CH", "CHE-107.787.578"), ("DE", "245178"),
    ("DE", "HRC 44123"), ("FR", "443 121 976"), ("GB", "123456789"), ("IE", "IE"),
    ("NL", "123456789"), ("NO", "995525829"), ("PL", "8567346216"), ("SE", "556188-8405"),
    ("US", "<b>"), ("US", "#"),
]  # fmt: skip


def entry(country, number, register="Register"):
    return {
        register_entry.COUNTRY: country,
        register_entry.REGISTER: register,
        register_entry.NUMBER: number,
    }


@pytest.mark.parametrize("country", WRITTEN)
def test_a_number_is_stored_as_its_register_writes_it(country):
    for typed, written in WRITTEN[country].items():
        assert register_numbers.canonical(country, typed) == written, typed
        assert register_numbers.canonical(country, written) == written


@pytest.mark.parametrize(("country", "number"), WRONG)
def test_a_wrong_number_is_told_at_its_field(country, number):
    (problem,) = register_entry.problems(entry(country, number, "Amtsgericht Köln"))
    assert problem.path == register_entry.NUMBER
    if kind := register_numbers.KINDS.get(country):
        assert kind.name in problem.message
        assert kind.example in problem.message


@pytest.mark.parametrize("country", register_numbers.KINDS)
def test_the_example_of_a_country_is_one(country):
    assert countries.exists(country)
    for example in register_numbers.KINDS[country].example.split(" or "):
        assert register_numbers.canonical(country, example) == example


@pytest.mark.parametrize(
    ("register", "number"),
    [
        ("Amtsgericht München", "HRB 245 178"),
        ("Handelsregister", "München HRB245178"),
        ("Handelsregister B des Amtsgerichts Muenchen", "HRB 245178 München"),
        ("Amtsgericht München HRB 245178", "HRB 245178"),
        ("AG München", "Amtsgericht München, HRB Nr. 245178"),
    ],
)
def test_a_german_court_is_stated_once_wherever_it_was_typed(register, number):
    assert register_entry.as_registered(entry("DE", number, register)) == {
        register_entry.REGISTER: "Amtsgericht München",
        register_entry.NUMBER: "HRB 245178",
    }


def test_a_german_number_needs_one_court():
    (missing,) = register_entry.problems(entry("DE", "HRB 245178", "Handelsregister"))
    assert (missing.path, "Amtsgericht" in missing.message) == (register_entry.REGISTER, True)
    (two,) = register_entry.problems(entry("DE", "Köln HRB 245178", "Amtsgericht München"))
    assert "Amtsgericht Köln" in two.message
    assert "Amtsgericht München" in two.message
    named = entry("DE", "Frankfurt HRB 1", "Amtsgericht Frankfurt am Main")
    assert not list(register_entry.problems(named))


@pytest.mark.parametrize(
    ("country", "register", "number", "once"),
    [
        ("FR", "Registre du commerce et des sociétés", "RCS Aix-en-Provence B 443 121 975",
         ("RCS Aix-en-Provence", "443 121 975")),
        ("FR", "RCS Paris", "RCS Paris 443121975", ("RCS Paris", "443 121 975")),
        ("GB", "Companies House, 229269", "229269", ("Companies House", "00229269")),
    ],
)  # fmt: skip
def test_register_and_number_do_not_repeat_each_other(country, register, number, once):
    assert tuple(register_entry.as_registered(entry(country, number, register)).values()) == once


def test_the_form_asks_in_the_words_of_the_country():
    question = EDITIONS.newest().by_key[register_entry.NUMBER]
    asked = register_entry.worded(question, entry("NO", "NO 995 525 828 MVA", "Foretaksregisteret"))
    assert asked.help == (
        "Organisasjonsnummer, for example 995525828. "
        "Our documents say: 995525828, Foretaksregisteret."
    )
    assert register_entry.worded(question, entry("AQ", "1")) == question
