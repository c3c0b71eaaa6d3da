"""What follows a submission: checks, a score, and automatic clearing of low-risk cases."""

import pytest
import time_machine

from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, ReasonMissing, WrongStatus
from console.events.models import Event
from onboarding.checks import connected, minimum, runs
from onboarding.checks.providers import Inquiry, ProviderDown
from onboarding.checks.simulated import Screening
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Assessment, Check
from onboarding.review import decisions, event_handlers
from tests import factories
from tests.onboarding import answered


def check_of(application, kind, subject="company"):
    return application.submission.checks.get(kind=kind, subject=subject)


CHECKS = [
    ("registry", "company"),
    ("number", "company"),
    ("signatory", "signatory"),
    ("owners", "company"),
    # The first owner signs, so the signatory check is about them too.
    ("identity", "owner.1"),
    ("screening", "company"),
    ("screening", "owner.0"),
    ("screening", "owner.1"),
]


def test_a_low_risk_business_is_checked_scored_and_cleared_by_itself():
    application = factories.a_reviewed_application()

    assert (application.status, application.assessment.tier) == (ApplicationStatus.CLEARED, "LOW")
    assert application.assessment.score == "3.00"
    checks = list(Check.objects.filter(submission=application.submission).order_by("pk"))
    assert {check.status for check in checks} == {CheckStatus.PASSED}
    assert [(check.kind, check.subject) for check in checks] == CHECKS
    assert Event.objects.filter(kind="application.cleared").count() == 1


def test_simulated_parties_are_marked_and_our_own_arithmetic_is_not():
    application = factories.a_reviewed_application()

    assert check_of(application, "registry").simulated
    assert not check_of(application, "number").simulated


def test_every_mark_of_the_score_is_kept_with_its_sentence():
    assessment = factories.a_reviewed_application().assessment

    told = {mark["indicator"]: mark["sentence"] for mark in assessment.marks}
    assert told["T1"] == "Value each month in twelve months: less than EUR 50,000."
    assert told["D1"].endswith("document and liveness, remote.")
    assert sum(factor["x100"] for factor in assessment.factors) == assessment.score_x100
    assert len(assessment.model_sha256) == 64


def test_a_politically_exposed_owner_waits_for_compliance():
    application = factories.a_reviewed_application(**answered.HIGH)

    assert application.status == ApplicationStatus.SUBMITTED
    assert application.assessment.tier == "HIGH"
    assert [hit["id"] for hit in application.assessment.floors] == ["F1"]


def test_declared_sanctions_are_a_hold_and_not_a_refusal():
    application = factories.a_reviewed_application(**answered.DECLARED)

    assert application.status == ApplicationStatus.HELD
    assert application.message == ""


def test_what_a_person_released_is_not_held_again():
    application = factories.a_reviewed_application(**answered.DECLARED)

    decisions.release(
        application, note="Spoke to them.", by=factories.one_of_staff(Role.COMPLIANCE)
    )
    factories.settle_reviews()

    application = factories.fresh(application)
    assert application.status == ApplicationStatus.SUBMITTED
    assert factories.clear(application).status == ApplicationStatus.CLEARED


def test_a_number_that_is_not_on_the_register_fails_and_stops_the_way():
    application = factories.a_reviewed_application(**answered.NOT_FOUND)

    assert application.status == ApplicationStatus.SUBMITTED
    assert check_of(application, "registry").status == CheckStatus.FAILED
    codes = [blocker.code for blocker in minimum.blockers(application)]
    assert codes == ["check.registry"]


def test_a_possible_match_needs_a_person():
    application = factories.a_reviewed_application(**answered.LISTED)

    assert application.status == ApplicationStatus.SUBMITTED
    assert check_of(application, "screening").status == CheckStatus.NEEDS_REVIEW
    assert application.assessment.facts["sanctions_match"]["value"] == "possible"


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Sanctioned Kettle Ltd", "name, as written"),
        ("SÁNCTIONED Kettle Ltd", "name, without case, marks and variants of letters"),
        ("Ｓａｎｃｔｉｏｎｅｄ Kettle Ltd", "name, without case, marks and variants of letters"),
        ("Sаnctiоned Kettle Ltd", "name, by letters that look alike"),  # two letters are Cyrillic
    ],
)
def test_screening_compares_the_name_in_every_form_and_says_which(name, form):
    inquiry = Inquiry("screening", name=name, business_name=name)

    found = Screening().look(inquiry)

    assert (found.status, found.evidence["matched"]) == (CheckStatus.NEEDS_REVIEW, form)


def test_an_owner_who_signs_is_screened_once_however_the_name_is_typed():
    owner, signs = answered.KIOSK[answered.OWNERS][0]["name"], "ow_signatory_name"

    application = factories.a_reviewed_application(**{signs: owner.upper().replace(" ", "\u3000")})

    screened = Check.objects.filter(submission=application.submission, kind="screening")
    assert not screened.filter(subject="signatory").exists()


def test_a_service_that_fail_first_attempts_is_asked_again():
    application = factories.a_reviewed_application(**answered.FLAKY)

    assert application.status == ApplicationStatus.CLEARED
    assert check_of(application, "registry").attempts == 2
    assert Entry.objects.filter(code="check.errored").exists()


def test_a_service_that_was_down_for_long_is_asked_again_by_itself(monkeypatch):
    class Down:
        name, simulated = "register", True

        def look(self, _):
            raise ProviderDown("No answer.")

    with monkeypatch.context() as outage:
        outage.setitem(connected.PROVIDERS, "simulated-register", Down())
        application = factories.a_reviewed_application()
    assert check_of(application, "registry").status == CheckStatus.ERRORED

    runs.again_by_itself()
    factories.settle_reviews()
    assert check_of(application, "registry").status == CheckStatus.ERRORED

    with time_machine.travel(clock.now() + runs.PAUSE, tick=False):
        runs.again_by_itself()
        runs.again_by_itself()
        factories.settle_reviews()
    assert check_of(application, "registry").status == CheckStatus.PASSED
    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    # It is asked about the company, and about its owners.
    assert Event.objects.filter(kind="check.asked_again").count() == 2


def test_a_false_match_is_decided_and_the_way_goes_on():
    application = factories.a_reviewed_application(**answered.LISTED)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)

    decided = runs.decide(
        check_of(application, "screening"), passed=True, reason="Another country.", by=reviewer
    )
    factories.settle_reviews()

    assert (decided.status, decided.decided_by) == (CheckStatus.PASSED, reviewer)
    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    assert factories.fresh(application).assessment.number == 2


def test_a_confirmed_match_knocks_out():
    application = factories.a_reviewed_application(**answered.LISTED)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)

    runs.decide(check_of(application, "screening"), passed=False, reason="The same.", by=reviewer)
    factories.settle_reviews()

    application = factories.fresh(application)
    assert (application.status, application.assessment.tier) == (
        ApplicationStatus.SUBMITTED,
        "PROHIBITED",
    )
    with pytest.raises(decisions.CannotClear):
        decisions.clear(application, by=reviewer)


def test_deciding_takes_a_reason_and_the_right_role():
    check = check_of(factories.a_reviewed_application(**answered.LISTED), "screening")

    with pytest.raises(ReasonMissing):
        runs.decide(check, passed=True, reason=" ", by=factories.one_of_staff(Role.COMPLIANCE))
    with pytest.raises(NotAllowed):
        runs.decide(check, passed=True, reason="Fine.", by=factories.one_of_staff(Role.LEGAL))


def test_what_has_passed_is_not_decided():
    check = check_of(factories.a_reviewed_application(), "screening")

    with pytest.raises(WrongStatus):
        runs.decide(check, passed=True, reason="Fine.", by=factories.one_of_staff(Role.COMPLIANCE))


def test_a_failed_check_can_be_asked_again():
    application = factories.a_reviewed_application(**answered.NOT_FOUND)

    runs.again(check_of(application, "registry"), by=factories.one_of_staff(Role.COMPLIANCE))
    factories.settle_reviews()

    assert check_of(application, "registry").attempts == 2
    with pytest.raises(NotAllowed):
        runs.again(check_of(application, "registry"), by=factories.one_of_staff(Role.AUDITOR))


def test_a_signatory_who_is_no_owner_is_screened_too():
    application = factories.a_reviewed_application(ow_signatory_name="Sanctioned Sally")

    assert check_of(application, "screening", "signatory").status == CheckStatus.NEEDS_REVIEW


@pytest.mark.parametrize("survived", [0, 1, 3, 8])
def test_a_worker_killed_anywhere_is_taken_up_again(monkeypatch, survived):
    """Dying in any call to a provider repeats no finished work."""
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    calls = []

    class Mortal:
        name, simulated = "mortal", True

        def __init__(self, real):
            self.real = real

        def look(self, inquiry):
            calls.append(inquiry.kind)
            if len(calls) == survived:
                raise SystemExit
            return self.real.look(inquiry)

        def result(self, reference, inquiry):
            return self.real.result(reference, inquiry)

        def reference_in(self, headers, body):
            return None

    mortal = {name: Mortal(real) for name, real in connected.PROVIDERS.items()}
    monkeypatch.setattr(connected, "PROVIDERS", mortal)
    event = Event.objects.get(kind="application.submitted")
    if survived:
        with pytest.raises(SystemExit):
            event_handlers.on_submitted(event)

    event_handlers.on_submitted(event)
    event_handlers.on_submitted(event)

    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    assert len(calls) == len(CHECKS) + bool(survived)
    assert Check.objects.count() == len(CHECKS)
    assert Assessment.objects.count() == 1
    assert Event.objects.filter(kind="application.cleared").count() == 1


def test_a_submission_that_was_taken_back_meanwhile_is_left_alone():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    applications.withdraw(application, by=factories.owner_of(application.business))

    factories.settle_reviews()

    assert not Check.objects.exists()


def test_minimum_checks_open_the_way_to_sandbox_keys():
    cleared = factories.an_application(ApplicationStatus.CLEARED)
    waiting = factories.a_reviewed_application(**answered.HIGH)

    assert minimum.blockers_of(cleared.business) == []
    assert minimum.blockers_of(waiting.business) != []
    assert [b.code for b in minimum.blockers_of(factories.a_business())] == ["application"]
