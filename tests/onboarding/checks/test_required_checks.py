"""Each party of a structure of owners is screened, as what it is."""

import json

import pytest

from console.core import clock
from onboarding.checks import list_screening, required_checks, yente
from onboarding.models import Submission
from onboarding.models.check import CheckKind
from onboarding.questionnaire import loading
from onboarding.questionnaire.edition_schema import QuestionKind
from onboarding.screening.search import ORGANISATION, PERSON
from tests.onboarding.ownership import examples

KINDS = {"T": "arrangement", "Plc": "listed", "Norland": "state"}


@pytest.fixture
def screened():
    structure = examples.answer(
        "T 40 App; Plc 30 App; Norland 10 App; Firm 20 App; Ana 100 Firm",
        kinds=KINDS, roles="Q protector T; Kim director App", Firm={"number": "01234567"},
    )  # fmt: skip
    answers = {
        "li_legal_name": "Kettle Ltd", "li_country_incorporation": "GB", "ow_signatory_name": "KIM",
        "li_registration_number": "09999991", "ow_structure_of_owners": structure,
    }  # fmt: skip
    return screenings(answers)


def required(answers, *, is_high=False):
    body, edition = json.dumps({"body": {"answers": answers}}), loading.EDITIONS.versions()[-1]
    submission = Submission(body=body, edition=edition, submitted_at=clock.now())
    checks = required_checks.checks_for(submission, is_high=is_high)
    return {(str(one.inquiry.kind), one.inquiry.name) for one in checks}


@pytest.mark.parametrize("is_high", [False, True])
def test_each_beneficial_owner_is_identified_and_at_home_if_the_risk_is_high(is_high):
    text = "Ana 60 App; Firm 40 App; Ben 80 Firm; Lea 20 Firm"
    structure = examples.answer(text, roles="Kim director App")
    answers = {
        "li_legal_name": "Kettle Ltd", "li_country_incorporation": "GB", "ow_signatory_name": "Kim",
        "li_registration_number": "09999991", "ow_structure_of_owners": structure,
    }  # fmt: skip
    found = required(answers, is_high=is_high)

    # Ben has 32 %, and Lea 8 %. Who signs has a check of their own.
    people = {("identity", "Ana"), ("identity", "Ben"), ("signatory", "Kim")}
    homes = {("address", "Ana"), ("address", "Ben"), ("address", "Kim")}
    of_people = {one for one in found if one[0] in ("identity", "signatory", "address")}
    assert of_people == people | (homes if is_high else set())
    assert ("owners", "Kettle Ltd") in found


def test_managers_are_identified_where_nobody_is_an_owner():
    names = [f"P{n}" for n in range(20)]
    text, kinds = ";".join(f"{name} 5 App" for name in names), dict.fromkeys(names, "person")
    structure = examples.answer(text, kinds=kinds, roles="P1 director App")
    answers = {
        "li_legal_name": "Kettle Ltd", "li_country_incorporation": "GB", "ow_signatory_name": "Kim",
        "li_registration_number": "09999991", "ow_structure_of_owners": structure,
    }  # fmt: skip
    assert {name for kind, name in required(answers) if kind == "identity"} == {"P1"}


def screenings(answers):
    body, edition = json.dumps({"body": {"answers": answers}}), loading.EDITIONS.versions()[-1]
    submission = Submission(body=body, edition=edition, submitted_at=clock.now())
    checks = required_checks.checks_for(submission, is_high=False)
    return {one.inquiry.name: one for one in checks if one.inquiry.kind == CheckKind.SCREENING}


def test_everybody_is_screened_once_by_the_right_kind(screened):
    kinds = {name: list_screening.party_of(one.inquiry).kind for name, one in screened.items()}

    assert kinds == {
        "Kettle Ltd": ORGANISATION,
        **dict.fromkeys(("T", "Plc", "Norland", "Firm"), ORGANISATION),
        **dict.fromkeys(("Ana", "Q", "Kim"), PERSON),
    }
    assert screened["Ana"].inquiry.born == "1980-01-31"
    assert screened["Firm"].inquiry.number == "01234567"
    assert len({one.subject for one in screened.values()}) == len(screened)


def test_a_service_is_asked_about_each_as_what_it_is(screened):
    asked = {name: yente._example(one.inquiry)["schema"] for name, one in screened.items()}

    assert asked["Q"] == "Person"
    assert (asked["Firm"], asked["T"]) == ("Company", "Organization")


NAMING = {
    "li_contact_name": ({"name": "Ada Moss"}, PERSON),
    "ff_intermediaries": ({"name": "Bank of Quay", "country": "GB"}, ORGANISATION),
    "se_third_party_holders": ({"name": "Eve Moss", "kind": "person"}, PERSON),
    "ri_pep_people": ({"name": "Lea Moss", "born": "1961-04-12"}, PERSON),
    "ri_sanctions_parties": ({"name": "Quay Shipping", "kind": "organisation"}, ORGANISATION),
    "ri_adverse_parties": ({"name": "Max Moss", "kind": "person"}, PERSON),
    "ri_terminated_firms": ({"name": "Old Bank"}, ORGANISATION),
    "ri_introducers": ({"name": "Finders", "kind": "organisation"}, ORGANISATION),
}
# Texts about something else than people and organisations. Others name whom we screen.
ABOUT_OTHERS = {
    *("li_legal_form", "li_register", "li_registration_number", "li_no_website"),
    *(
        "li_contact_title",
        "ow_signatory_title",
        "ow_cosignatories.cosignatory_title",
        "bm_summary",
        "pr_use",
        "ff_steps",
    ),
    *("ff_safeguarding", "se_third_party_why", "lc_licence_kind", "lc_licence_number"),
    *("lc_exemption", "dh_breach_text", "ri_sanctions_text", "ri_adverse_text"),
    *("ri_terminated_text", "ri_anything", "ri_pep_people.office", "ff_intermediaries.role"),
    "lc_regulator",  # a public authority
}
# Screened as the company and as the signatory.
SCREENED_ALREADY = {
    *("li_legal_name", "li_native_name", "li_trading_name", "ow_signatory_name"),
    "ow_cosignatories.cosignatory_name",
}


def named(**answers):
    company = {
        "li_legal_name": "Kettle Ltd", "li_country_incorporation": "GB",
        "ow_signatory_name": "Kim Moss", "li_registration_number": "09999991",
    }  # fmt: skip
    return screenings(company | answers)


@pytest.mark.parametrize("question", NAMING)
def test_whom_an_answer_names_is_screened_by_the_right_kind(question):
    said, kind = NAMING[question]
    is_rows = loading.EDITIONS.newest().by_key[question].kind is QuestionKind.ROWS
    found = named(**{question: [{"name": "Zoe Zed", **said}, said] if is_rows else said["name"]})

    party = list_screening.party_of(found[said["name"]].inquiry)
    assert (party.kind, party.born) == (kind, said.get("born", ""))


def test_every_text_that_names_somebody_is_screened():
    texts, names = set(), set()
    for question in loading.EDITIONS.newest():
        for part in (question, *question.columns):
            key = question.key if part is question else f"{question.key}.{part.key}"
            if part.names:
                names.add(question.key)
            elif part.kind in (QuestionKind.TEXT, QuestionKind.LONG_TEXT):
                texts.add(key)

    assert names == set(NAMING)
    assert texts == ABOUT_OTHERS | SCREENED_ALREADY


def test_several_people_in_one_field_are_screened_one_by_one():
    found = named(li_contact_name="Ada Moss and Bob Moss")
    assert {"Ada Moss", "Bob Moss"} < set(found)
    assert len({one.subject for one in found.values()}) == len(found)

    for name in ("Ortega y Gasset, José", "Ada & Co", "García López, María José"):
        assert name in named(li_contact_name=name)


def test_nobody_is_screened_twice_unless_more_is_known_of_them():
    found = named(li_contact_name="MOSS, Kim", ri_terminated_firms=[{"name": "KETTLE LTD"}])
    assert set(found) == {"Kettle Ltd", "Kim Moss"}
    born = [{"name": "Kim Moss", "born": "1961-04-12"}]
    assert named(ri_pep_people=born)["Kim Moss"].subject == "named.ri_pep_people.0"
