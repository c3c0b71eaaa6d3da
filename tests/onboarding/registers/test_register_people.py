"""Officers and owners on a register, over HTTP, and how they differ from the answers."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.audit.models import Entry
from onboarding.checks import register_people
from onboarding.checks.providers import CheckResult, Inquiry, ProviderDown
from onboarding.checks.register_check import Registers
from onboarding.checks.register_people import NOTHING
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Check
from onboarding.ownership.owners import owners_of
from onboarding.ownership.thresholds import THRESHOLDS
from onboarding.registers import people
from onboarding.registers.people import ListedAs, RegisterParty, RegisterPeople
from tests import factories
from tests.onboarding.ownership import examples
from tests.onboarding.registers.stand_in import LEI, controller, items, lei_record, officer

OFFICERS, OWNERS = "09999991/officers", "09999991/persons-with-significant-control"
# Whom the simulated register knows with another director.
BRAMBLE = "09990302"


def asked(country="GB", number="09999991", name="Kettle Ltd"):
    inquiry = Inquiry(kind="owners", name=name, business_name=name, country=country, number=number)
    return Registers().look(inquiry)


def listed(answer):
    return people.of_evidence(answer.evidence).parties


def test_companies_house_states_directors_and_owners_that_are_active(registers):
    registers.people[OFFICERS] = items(
        officer("ELLWOOD, Mara Jane"),
        officer("FORMER, Kay", resigned_on="2020-01-01"),
        officer("PEN, Sam", role="secretary"),
        officer("BOARD SERVICES LTD", role="corporate-director", date_of_birth=None),
    )
    registers.people[OWNERS] = items(
        controller("Mara Ellwood", name_elements={"forename": "Mara", "surname": "Ellwood"}),
        controller("Gone", ceased_on="2021-01-01"),
        {
            "name": "Kiosk Group Limited",
            "kind": "corporate-entity-person-with-significant-control",
            "identification": {"registration_number": "07000001"},
            "natures_of_control": ["voting-rights-25-to-50-percent"],
        },
    )

    answer = asked()

    assert listed(answer) == (
        RegisterParty("ELLWOOD, Mara Jane", ListedAs.DIRECTOR, is_person=True, born="1984-05"),
        RegisterParty("BOARD SERVICES LTD", ListedAs.DIRECTOR),
        RegisterParty("Mara Ellwood", ListedAs.OWNER, True, "1984-05", least="50", most="75"),
        RegisterParty(
            "Kiosk Group Limited", ListedAs.OWNER, number="07000001", least="25", most="50"
        ),
    )
    assert [path.partition("?")[0] for path in registers.asked] == [
        f"/company/{OFFICERS}",
        f"/company/{OWNERS}",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        [],
        {"items": "none"},
        {"items": [None, 7, officer("A", date_of_birth={"year": 1, "month": 13})]},
    ],
)
def test_an_answer_in_another_form_is_no_error(registers, answer):
    registers.people[OFFICERS] = registers.people[OWNERS] = answer
    assert asked().evidence["register"] == "Companies House"


def test_names_that_are_not_published_or_further_pages_make_a_list_incomplete(registers):
    registers.people[OFFICERS] = items(officer("ELLWOOD, Mara"), total_results=120)
    hidden = {"kind": "super-secure-person-with-significant-control", "name": "", "etag": "1"}
    registers.people[OWNERS] = items(hidden)

    found = people.of_evidence(asked().evidence)

    assert (found.has_directors, found.has_owners) == (False, False)


def test_gleif_states_the_parents_that_consolidate_the_company(registers):
    registers.leis = [lei_record()]
    parent = lei_record("9845001B2C3D4E5F6A99", legalName={"name": "Muster Holding AG"})
    registers.parents[f"{LEI}/ultimate-parent"] = parent

    answer = asked("DE", "HRB 990011")

    (found,) = listed(answer)
    assert (found.name, found.listed_as) == ("Muster Holding AG", ListedAs.ULTIMATE_PARENT)


def test_without_an_entry_there_is_nothing_to_compare_and_an_outage_is_tried_again(registers):
    assert (asked("DE", "HRB 990011").status, asked("DE", "HRB 990011").says) == ("passed", NOTHING)
    registers.down = 503
    with pytest.raises(ProviderDown):
        asked()


def party(name, listed_as=ListedAs.OWNER, **said):
    return RegisterParty(name, listed_as, is_person=said.pop("is_person", True), **said)


def differences(text, *parties, roles="", **flags):
    found = RegisterPeople("The register", parties, **flags)
    named = {"Ana": {"name": "Ana Reyes"}, "Ben": {"name": "Bo Lund"}}
    ownership = owners_of(examples.structure(text, roles=roles, **named), THRESHOLDS[0])
    return [line.differs for line in people.compared(found, ownership) if line.differs]


@pytest.mark.parametrize(
    ("parties", "says"),
    [
        ([party("REYES, Ana Maria", ListedAs.DIRECTOR)], ""),
        ([party("Ana Reyes", born="1980-01", least="50", most="75")], ""),
        ([party("HOLDCO", is_person=False, least="25", most="50")], ""),
        ([party("Ana Reyes", born="1980-02")], "lists Ana Reyes as owner, whom"),
        ([party("Ana Reyes", least="75", most="100")], "states 75 % to 100 % for Ana Reyes"),
        ([party("Bo Lund", ListedAs.DIRECTOR)], "lists Bo Lund as director, and"),
        ([party("Silas", ListedAs.DIRECTOR)], "lists Silas as director, whom"),
        (
            [party("Parent AG", ListedAs.DIRECT_PARENT, is_person=False)],
            "lists Parent AG as direct parent, whom",
        ),
    ],
)
def test_each_entry_is_compared_with_the_answers(parties, says):
    text = "Ana 60 App; HoldCo 40 App; Ben 100 HoldCo"
    found = differences(text, *parties, roles="Ana director App")
    assert (says in found[0]) if says else found == []


def test_who_should_be_listed_and_is_not_differs():
    text = "Ana 60 App; HoldCo 40 App; Ben 100 HoldCo"
    flags = {"roles": "Ana director App", "has_directors": True, "has_owners": True}
    assert differences(text, **flags) == [
        "The business names Ana Reyes as director, whom The register does not list.",
        "The business names Ana Reyes as owner, whom The register does not list.",
        "The business names HoldCo as owner, whom The register does not list.",
    ]
    # The person above a company is listed instead of it.
    above = [party("Bo Lund"), party("Ana Reyes"), party("Ana Reyes", ListedAs.DIRECTOR)]
    assert differences(text, *above, **flags) == []


def test_a_difference_waits_for_a_reviewer_who_explains_it(db):
    application = factories.a_reviewed_application(li_registration_number=BRAMBLE)
    check = application.submission.checks.get(kind="owners")
    assert application.status == ApplicationStatus.SUBMITTED
    assert check.status == "needs_review"
    assert "Simulated register lists THORNE, Silas as director, whom" in check.says

    staff = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    case = staff.get(f"{application.case_url}?show=score").text
    page = reverse("onboarding:decide_check", args=[check.public_id])
    assert "Compared with the register" in case
    assert "Explain the differences" in case
    assert "THORNE, Silas" in staff.get(page).text
    report = reverse("onboarding:owners_file", args=[application.public_id, "discrepancies"])
    text = staff.get(report).text
    assert "Company: Kettle & Kiosk Ltd, number 09990302, United Kingdom" in text
    assert "Simulated register lists THORNE, Silas as director" in text
    assert "The register: director, born Feb 1969" in text

    said = {"passed": "yes", "reason": "The register is late: they resigned in May."}
    assert staff.post(page, said).status_code == 302
    factories.settle_reviews()
    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    entry = Entry.objects.get(code="check.decided_passed", subject_id=check.public_id)
    assert "resigned in May" in json.dumps(entry.body)


def test_an_explanation_counts_only_for_the_same_differences(db):
    application = factories.a_reviewed_application(li_registration_number=BRAMBLE)
    check = application.submission.checks.get(kind="owners")
    differences = [one.differs for one in comparison_of(check) if one.differs]

    assert check.evidence["differences"] == "\n".join(differences)


def comparison_of(check):
    found = people.of_evidence(check.evidence)
    assert found is not None
    return register_people.lines(check, found)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", '{"register": "R"}', '{"register": "R", "parties": [7]}'),
        '{"register": "R", "parties": [{"name": "A", "listed_as": "king"}]}',
        '{"register": "R", "parties": [{"name": "A", "listed_as": "owner", "least": "1/0"}]}',
    ],
)
def test_people_in_another_form_are_left_to_a_reviewer(text):
    evidence = {"people": text}
    assert people.of_evidence(evidence) is None
    answer = CheckResult(CheckStatus.PASSED, "", evidence)

    found = register_people.with_differences(Check(kind="owners"), answer)

    assert (found.status, found.says) == ("needs_review", register_people.UNREADABLE)


def test_dates_in_another_form_are_shown_as_they_came():
    assert RegisterParty("A", ListedAs.OWNER, born="1984-13").words == "owner, born 1984-13"
