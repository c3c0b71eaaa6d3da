"""The applicant's details are shown beside the provider's findings when deciding a check."""

import re

from django.urls import reverse

from console.accounts.roles import Role
from onboarding.checks import comparison, required_checks
from onboarding.checks.comparison import ComparedLine
from onboarding.models import Check
from tests import factories
from tests.onboarding import answered


def possible_match(**changes) -> Check:
    application = factories.a_reviewed_application(**changes)
    return application.submission.checks.get(status="needs_review")


def test_a_company_is_compared_by_country_and_number():
    check = possible_match(**answered.LISTED)
    assert comparison.lines(check) == [
        ComparedLine("Name", "Sanctioned Kettle Ltd", "Sanctioned Shipping and Trading"),
        ComparedLine("Country of the business", "United Kingdom", "North Korea"),
        ComparedLine("Registration number", answered.KIOSK["li_registration_number"], "SIM-774411"),
    ]
    assert set(comparison.other_evidence(check)) == {"list", "entry", "matched"}


def test_an_owner_is_compared_by_birth_and_residence():
    check = possible_match(**answered.owned_by(("Sanctioned Sally", "60"), ("Ifan Rhys", "40")))
    assert comparison.lines(check) == [
        ComparedLine("Name", "Sanctioned Sally", "Sanctioned Person"),
        ComparedLine("Date of birth", "2 May 1984", "12 Apr 1961"),
        ComparedLine("Country of residence", "United Kingdom", "North Korea"),
    ]


def test_a_signatory_of_whom_we_ask_no_birth_shows_that_of_the_entry():
    check = possible_match(ow_signatory_name="Sanctioned Sally")
    assert ComparedLine("Date of birth", "", "12 Apr 1961") in comparison.lines(check)
    assert "Country of the business" in {line.label for line in comparison.lines(check)}


def test_a_year_alone_is_shown_as_it_came():
    check = possible_match(**answered.LISTED)
    check.evidence = {"born": "1961"}
    assert ComparedLine("Date of birth", "", "1961") in comparison.lines(check)


def test_every_check_of_a_submission_can_be_compared():
    submission = factories.a_reviewed_application().submission
    assert submission is not None
    checks = Check.objects.filter(submission=submission)
    assert len(checks) == len(required_checks.checks_for(submission, is_high=False))
    assert all(comparison.lines(check)[0].stated == check.subject_name for check in checks)


def test_the_page_shows_both_sides(client):
    check = possible_match(**answered.LISTED)
    factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    page = client.get(reverse("onboarding:decide_check", args=[check.public_id])).content.decode()
    row = re.sub(r"<td[^>]*>", "<td>", "".join(part.strip() for part in page.splitlines()))
    assert "<td>United Kingdom</td><td>North Korea</td>" in row
    assert page.index("Compare") < page.index('name="reason"')
