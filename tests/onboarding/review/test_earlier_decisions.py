"""A case shows all its decisions, and keeps those about unchanged matches on resubmission."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from onboarding.checks import simulated, validity
from onboarding.information.models import InformationRequest
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.review import decisions, information_requests
from tests import factories
from tests.onboarding import answered

REASON = "Another country, and forty years younger."


def match_of(application):
    return factories.fresh(application).submission.checks.get(kind="screening", subject="company")


def decide(staff, application, passed="yes", reason=REASON):
    page = reverse("onboarding:decide_check", args=[match_of(application).public_id])
    answer = staff.post(page, {"passed": passed, "reason": reason})
    assert answer.status_code == 302
    return answer


def resubmitted(application, **changes):
    """Return the application to its business and resubmit it with these changes."""
    application, by = factories.fresh(application), factories.one_of_staff(Role.COMPLIANCE)
    owner = factories.owner_of(application.business)
    application = decisions.return_for_changes(application, note="One more thing.", by=by)
    if changes:
        application = factories.filled(application, **answered.LISTED | changes)
    applications.submit(application, declared=True, by=owner)
    factories.settle_reviews()
    return factories.fresh(application)


def the_head():
    """Return the signed-in head of compliance, who clears high risks."""
    return factories.signed_in(Client(), factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))


def case(staff, application, show=""):
    return staff.get(f"{application.case_url}?show={show}").content.decode()


@pytest.mark.parametrize(("passed", "status"), [("yes", "passed"), ("no", "failed")])
def test_an_unchanged_match_keeps_its_decision(staff, passed, status):
    application = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    decide(staff, application, passed)
    before = match_of(application)

    for number in (2, 3):
        application = resubmitted(application)
        check = match_of(application)
        assert (check.submission.number, check.status) == (number, status)
        assert (check.reason, check.decided_by) == (REASON, before.decided_by)
        assert (check.decided_at, check.valid_until) == (before.decided_at, before.valid_until)

    text = case(staff, application)
    assert "because the match has not changed" in text
    assert REASON in text
    assert Entry.objects.filter(code="check.decision_kept").count() == 2
    assert application.status == ApplicationStatus.SUBMITTED


@pytest.mark.parametrize("name", ["decline", "hold", "return", "clear"])
def test_a_decision_on_answers_that_were_replaced_is_refused(staff, name):
    application = factories.a_reviewed_application(**answered.HIGH)
    given = factories.clearing_form(application)
    staff = the_head() if name == "clear" else staff
    page = reverse(f"onboarding:{name}", args=[application.public_id])
    (seen,) = re.findall(r'name="seen" value="(\w+)"', staff.get(page).content.decode())
    application = resubmitted(application)

    answer = staff.post(page, given | {"note": "They sell to nobody.", "seen": seen})

    assert answer.headers["X-Refusal"] == "stale"
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


def test_the_way_goes_on_by_itself_with_a_kept_decision(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    decide(staff, application)
    factories.settle_reviews()

    application = resubmitted(application)
    assert application.status == ApplicationStatus.SUBMITTED  # the correction is not accepted yet
    (asked,) = InformationRequest.objects.filter(application=application)
    information_requests.close(asked, by=factories.one_of_staff(Role.COMPLIANCE))
    factories.settle_reviews()

    assert match_of(application).reason == REASON
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("li_legal_name", "Sanctioned Kettle and Sons Ltd"),
        ("li_registration_number", "09999992"),
    ],
)
def test_a_match_of_other_particulars_is_asked_again_and_shows_the_earlier_decision(
    staff, question, answer
):
    application = factories.a_reviewed_application(**answered.LISTED)
    decide(staff, application)

    application = resubmitted(application, **{question: answer})

    check = match_of(application)
    assert (check.status, check.reason) == (CheckStatus.NEEDS_REVIEW, "")
    for show in ("", "history"):
        assert REASON in case(staff, application, show)


def test_a_match_with_another_entry_is_asked_again(staff, monkeypatch):
    application = factories.a_reviewed_application(**answered.LISTED)
    decide(staff, application)
    monkeypatch.setitem(simulated.LISTED_COMPANY, "number", "SIM-000000")

    assert match_of(resubmitted(application)).status == CheckStatus.NEEDS_REVIEW


def test_a_decision_that_has_outlived_its_time_is_asked_again(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    decide(staff, application)

    end = clock.now() + timedelta(days=validity.VALID_DAYS["screening"])
    with time_machine.travel(end, tick=False):
        assert match_of(resubmitted(application)).status == CheckStatus.NEEDS_REVIEW


def test_a_kept_decision_can_be_asked_again_by_a_reviewer(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    decide(staff, application, "no")
    application = resubmitted(application)

    staff.post(reverse("onboarding:check_again", args=[match_of(application).public_id]))
    factories.settle_reviews()

    assert match_of(application).status == CheckStatus.NEEDS_REVIEW
    decide(staff, application, reason="I had misread the year.")


def test_a_check_of_an_older_submission_is_not_decided(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    old = match_of(application)
    resubmitted(application)

    page = reverse("onboarding:decide_check", args=[old.public_id])
    answer = staff.post(page, {"passed": "yes", "reason": REASON})

    assert answer.status_code == 422
    assert "The business has submitted again" in answer.content.decode()
    assert f"{REASON}</textarea>" in answer.content.decode()


def test_every_decision_stays_on_the_case_with_who_and_why(staff):
    application = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    decide(staff, application)
    factories.settle_reviews()
    for name, note in (("hold", "A call is due."), ("release", "They called.")):
        address = reverse(f"onboarding:{name}", args=[application.public_id])
        assert staff.post(address, {"note": note}).status_code == 302
    application = resubmitted(application)
    clearing = reverse("onboarding:clear", args=[application.public_id])
    the_head().post(clearing, factories.clearing_form(application))

    for show in ("", "history"):
        text = case(staff, application, show)
        shown = text.partition('id="decisions"')[2].partition('id="activity"')[0]
        for said in (
            REASON, "A call is due.", "They called.", "One more thing.",
            "cleared to contract", "put on hold", "continued the review", "returned for changes",
            "of version 1: passed",
        ):  # fmt: skip
            assert said in shown
    assert clock.now().strftime("%Y") in shown
