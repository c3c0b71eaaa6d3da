"""Each party of a structure of owners is screened, as what it is."""

import json

import pytest

from onboarding.checks import list_screening, required_checks, yente
from onboarding.models import Submission
from onboarding.models.check import CheckKind
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
    submission = Submission(body=json.dumps({"body": {"answers": answers}}))
    checks = required_checks.checks_for(submission)
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
