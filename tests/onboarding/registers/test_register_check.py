"""The check against public registers, over HTTP to servers that speak their formats."""

import pytest

from onboarding.checks.providers import Inquiry, ProviderDown
from onboarding.checks.register_check import Registers
from onboarding.registers import vies
from onboarding.registers.name_agreement import agrees
from tests.onboarding.registers.stand_in import LEI, lei_record, profile

COMPANY = {
    "GB": ("Kettle and Kiosk Ltd.", "9999991"),
    "DE": ("Muster Handels GmbH", "HRB 990011"),
    "FR": ("Exemple Commerce SAS", "443 121 975"),
}
VAT = {
    "countryCode": "FR",
    "vatNumber": "46443121975",
    "valid": True,
    "name": "EXEMPLE COMMERCE SAS",
    "address": "3 RUE INVENTEE\n75001 PARIS",
}


def check(country, **changes):
    name, number = COMPANY[country]
    asked = {"kind": "registry", "name": name, "number": number} | changes
    return Registers().look(Inquiry(business_name=name, country=country, **asked))


def test_a_company_that_companies_house_lists_passes_with_evidence(registers):
    registers.profiles["09999991"] = profile("09999991")

    found = check("GB")

    assert (found.status, registers.asked) == ("passed", ["/company/09999991"])
    assert found.evidence == {
        "register": "Companies House",
        "record": "09999991",
        "name": "KETTLE & KIOSK LIMITED",
        "number": "09999991",
        "country": "GB",
        "status": "active",
        "since": "2016-05-09",
        "legal_form": "Private limited company",
        "address": "7 Invented Row, Leeds, LS1 0XX, United Kingdom",
    }


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"company_status": "voluntary-arrangement"}, "status is “voluntary arrangement”."),
        ({"company_status": None}, "status is “unknown”."),
        ({"company_status_detail": "active-proposal-to-strike-off"}, "proposal to strike off"),
        ({"company_status_detail": "transferred-from-uk"}, "transferred from uk"),
        ({"type": "oversea-company"}, "of another country"),
        ({"type": "uk-establishment"}, "of another country"),
        ({"has_insolvency_history": True}, "insolvency"),
        ({"accounts": {"overdue": True}}, "accounts are overdue"),
        ({"confirmation_statement": {"overdue": True}}, "statement is overdue"),
        ({"undeliverable_registered_office_address": True}, "cannot receive post"),
        ({"registered_office_is_in_dispute": True}, "in dispute"),
        (
            {"previous_company_names": [{"name": "OLD LTD", "ceased_on": "2999-01-01"}]},
            "“OLD LTD” until",
        ),
        ({"company_name": "OTHER KIOSK LIMITED"}, "states the name “OTHER KIOSK LIMITED”"),
        ({"company_name": "KETTLE & KIOSK PLC"}, "states the name “KETTLE & KIOSK PLC”"),
    ],
)
def test_a_company_that_differs_or_is_not_active_needs_review(registers, changes, says):
    registers.profiles["09999991"] = profile("09999991", **changes)

    found = check("GB")

    assert (found.status, found.evidence["register"]) == ("needs_review", "Companies House")
    assert says in found.says


@pytest.mark.parametrize(
    "changes",
    [
        {"accounts": {"overdue": False}, "has_insolvency_history": False},
        {"accounts": None, "confirmation_statement": "unknown"},
        {"previous_company_names": [{"name": "OLD LTD", "ceased_on": "2001-01-01"}]},
        {"company_status_detail": ""},
    ],
)
def test_what_is_no_doubt_passes(registers, changes):
    registers.profiles["09999991"] = profile("09999991", **changes)
    assert check("GB").status == "passed"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("SC 12345", "SC012345"), ("sc012345", "SC012345"), ("229269", "00229269"),
        ("NI 1", "NI000001"), ("OC 301 540", "OC301540"), ("R0000005", "R0000005"),
    ],
)  # fmt: skip
def test_a_number_is_completed_as_the_register_writes_it(registers, typed, written):
    registers.profiles[written] = profile(written)
    assert check("GB", number=typed).status == "passed"


def test_companies_house_is_complete_and_gleif_is_not(registers, settings):
    assert check("GB").status == "failed"
    settings.COMPANIES_HOUSE_KEY = ""
    assert check("GB").status == check("DE").status == "needs_review"
    assert registers.asked[1].startswith("/lei-records?")


def test_an_entry_of_gleif_passes_by_number_or_lei(registers):
    registers.leis.append(lei_record())

    for number in ("HRB 990011", LEI):
        found = check("DE", number=number)
        assert (found.status, found.evidence["record"]) == ("passed", LEI), found.says
    assert found.evidence["address"] == "Musterweg 3, Hinterhaus, Köln, 50667, Germany"


@pytest.mark.parametrize(
    ("registration", "entity", "says"),
    [
        ({"status": "LAPSED"}, {}, "may be out of date"),
        ({"corroborationLevel": "ENTITY_SUPPLIED_ONLY"}, {}, "not fully compared"),
        ({}, {"status": "INACTIVE"}, "status is “inactive”."),
        ({}, {"registeredAs": "HRB 1"}, "states the number HRB 1"),
        ({}, {"legalName": {"name": "Andere GmbH"}}, "states the name “Andere GmbH”"),
    ],
)
def test_an_entry_of_gleif_with_a_doubt_needs_review(registers, registration, entity, says):
    registers.leis.append(lei_record(registration=registration, **entity))

    found = check("DE", name="Muster Handels Gesellschaft mit beschränkter Haftung")

    assert (found.status, found.evidence["record"]) == ("needs_review", LEI)
    assert says in found.says


def test_of_several_entries_the_one_that_agrees_counts(registers):
    other = lei_record("984500AAAAAAAAAAAA11", legalName={"name": "Andere GmbH"})
    registers.leis += [other, lei_record()]

    assert check("DE").evidence["record"] == LEI


def test_a_vat_number_is_evidence_but_confirms_nothing_by_itself(registers):
    registers.vat["FR46443121975"] = VAT

    found = check("FR")

    assert (found.status, registers.asked[-1]) == ("needs_review", "FR46443121975")
    assert found.evidence["record"] == "FR46443121975"
    assert found.says.startswith("VIES confirms a tax registration.")
    assert found.evidence["address"] == "3 RUE INVENTEE 75001 PARIS"


@pytest.mark.parametrize(
    ("country", "number", "vat"),
    [
        ("DK", "13585628", "DK13585628"),
        ("SE", "556188-8404", "SE556188840401"),
        ("GR", "EL094259216", "EL094259216"),
        ("DE", "HRB 86891", ""),
        ("DK", "13585629", ""),
    ],
)
def test_the_vat_number_follows_from_the_registration_number(country, number, vat):
    assert vies.vat_number(country, number) == vat


@pytest.mark.parametrize(
    "why", ["IP_BLOCKED", "MS_UNAVAILABLE", "MS_MAX_CONCURRENT_REQ", "TIMEOUT", "INVALID_INPUT"]
)
def test_an_answer_of_vies_that_says_why_it_is_none_is_asked_again(registers, why):
    registers.vat["FR46443121975"] = VAT | {"valid": False, "userError": why}
    with pytest.raises(ProviderDown):
        check("FR")


def test_of_two_entries_of_one_company_the_current_one_counts(registers):
    lapsed = lei_record("5493001KJTIIGC8Y1R12", {"status": "LAPSED"})
    registers.leis = [lapsed, lei_record()]
    found = check("DE")
    assert (found.status, found.evidence["record"]) == ("passed", LEI)


def test_a_country_that_does_not_answer_vies_is_asked_again(registers):
    registers.vat["FR46443121975"] = {
        "actionSucceed": False,
        "errorWrappers": [{"error": "MS_UNAVAILABLE"}],
    }
    with pytest.raises(ProviderDown):
        check("FR")


@pytest.mark.parametrize("status", [301, 503])
def test_a_register_that_is_down_answers_nothing(registers, status):
    registers.profiles["09999991"], registers.down = profile("09999991"), status
    for country in COMPANY:
        with pytest.raises(ProviderDown, match="did not answer"):
            check(country)


@pytest.mark.parametrize("said", [[], "x", {}, {"company_name": 7, "company_number": "1"}])
def test_an_answer_in_another_format_is_no_answer(registers, said):
    registers.profiles["09999991"] = said
    with pytest.raises(ProviderDown):
        check("GB")


def test_an_answer_that_is_too_long_is_no_answer(registers):
    registers.profiles["09999991"] = profile("09999991", more="x" * 300_000)
    with pytest.raises(ProviderDown):
        check("GB")


def test_nothing_passes_with_every_register_switched_off(registers, settings):
    settings.COMPANIES_HOUSE_URL = settings.GLEIF_URL = settings.VIES_URL = ""

    assert [check(country).status for country in COMPANY] == ["needs_review"] * 3
    assert registers.asked == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Beta Sp. z o.o.", "BETA SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ", True),
        ("The Lamp Co Ltd", "LAMP COMPANY LIMITED(THE)", True),
        ("Gamma A/S", "GAMMA Aktieselskab", True),
        ("Zeta Public Limited Company", "ZETA P.L.C.", True),
        ("Foo Ltd", "Foo", False),
        ("Foo Ltd", "Fop Ltd", False),
        ("", "", False),
    ],
)
def test_names_agree_after_spelling_and_legal_forms(one, other, same):
    assert agrees(one, other) == same
