"""Outside the demo world no simulated provider is asked, and simulated results do not count."""

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.audit.models import Entry
from onboarding.checks import full, minimum, runs
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import CaseAct, Check
from tests import factories
from tests.onboarding import answered

NOBODY = "No provider is connected"


def leave_the_demo(settings):
    settings.DEMO = False
    settings.CHECK_PROVIDERS = dict.fromkeys(
        ("registry", "screening", "signatory", "owners"), "reviewer"
    )


@pytest.fixture
def _outside(settings):
    leave_the_demo(settings)


def statuses(application):
    rows = Check.objects.filter(submission=factories.fresh(application).submission)
    return {(check.kind, check.subject): check.status for check in rows}


def decide_every(staff, application):
    """Decide each check on the page that the case links to."""
    case = staff.get(application.case_url).content.decode()
    for check in application.submission.checks.filter(status=CheckStatus.NEEDS_REVIEW):
        page = reverse("onboarding:decide_check", args=[check.public_id])
        assert page in case
        assert NOBODY in staff.get(page).content.decode()
        assert staff.post(page, {"passed": "yes", "reason": " "}).status_code == 422
        said = {"passed": "yes", "reason": f"Seen in the extract: {check.subject_name}."}
        assert staff.post(page, said)["Location"] == application.case_url
    factories.settle_reviews()


@pytest.mark.usefixtures("_outside")
def test_a_company_that_nobody_checked_is_not_cleared():
    application = factories.a_reviewed_application(**answered.NOT_FOUND | answered.SUSPECT)

    assert application.status == ApplicationStatus.SUBMITTED
    found = statuses(application)
    assert found.pop(("number", "company")) == CheckStatus.PASSED  # checked without a provider
    assert set(found.values()) == {CheckStatus.NEEDS_REVIEW}
    assert not Check.objects.filter(simulated=True).exists()


@pytest.mark.usefixtures("_outside")
def test_a_reviewer_decides_each_check_with_a_reason_and_the_case_goes_on(staff):
    application = factories.a_reviewed_application()
    assert NOBODY in staff.get(application.case_url).content.decode()

    decide_every(staff, application)

    application = factories.fresh(application)
    assert (application.status, application.assessment.tier) == (ApplicationStatus.CLEARED, "LOW")
    assert minimum.blockers_of(application.business) == []
    reasons = CaseAct.objects.filter(kind="decide_check").values_list("note", flat=True)
    assert len(reasons) == 7
    assert all(reason.startswith("Seen in the extract") for reason in reasons)


def test_a_stored_simulated_result_clears_nobody(settings, staff):
    """A tier HIGH case waits for a reviewer, with all checks passed by simulated providers."""
    application = factories.a_reviewed_application(**answered.HIGH)
    leave_the_demo(settings)

    case = staff.get(application.case_url).content.decode()
    form = factories.clearing_form(application)
    head = factories.signed_in(Client(), factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))
    head.post(reverse("onboarding:clear", args=[application.public_id]), form)

    assert "simulated, so it does not count" in case
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED
    queue = staff.get(reverse("onboarding:review_queue")).content.decode()
    assert "9 checks open" in queue

    for _ in range(2):
        runs.replace_void()
    factories.settle_reviews()
    asked = Entry.objects.filter(code="check.asked_again")
    assert asked.count() == 9
    assert list(statuses(application).values()).count(CheckStatus.NEEDS_REVIEW) == 9

    decide_every(staff, application)
    head.post(reverse("onboarding:clear", args=[application.public_id]), form)
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


def test_a_simulated_match_is_not_decided_outside_the_demo_world(settings, staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    leave_the_demo(settings)
    page = reverse("onboarding:decide_check", args=[check.public_id])

    early = staff.post(page, {"passed": "yes", "reason": "Another country."})
    assert early.status_code == 422
    runs.replace_void()
    factories.settle_reviews()

    check.refresh_from_db()
    assert (check.status, check.provider, check.evidence) == ("needs_review", "", {})
    assert application.assessment.facts["sanctions_match"]["value"] == "possible"
    decide_every(staff, application)
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


def test_simulated_results_open_neither_the_sandbox_nor_live(settings):
    cleared = factories.an_application(ApplicationStatus.CLEARED)
    executed = factories.an_application(ApplicationStatus.EXECUTED)
    assert minimum.blockers_of(cleared.business) == full.blockers_of(executed.business) == []
    leave_the_demo(settings)

    assert minimum.blockers_of(cleared.business) == [minimum.UNFINISHED]
    assert full.blockers_of(executed.business) == [minimum.UNFINISHED]
