"""Submitting a complete questionnaire to the reviewers."""

import pytest

from console.audit.models import Entry
from console.core import digests
from console.core.refusals import ComplianceBlocked, NotAllowed, WrongStatus
from console.events.models import Event
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Submission
from tests import factories


def submit(application):
    return applications.submit(
        application, declared=True, by=factories.owner_of(application.business)
    )


def test_it_hands_the_answers_over_frozen():
    submitted = submit(factories.an_application("answered"))
    submission = submitted.submission

    assert submitted.status == ApplicationStatus.SUBMITTED
    assert submission.answers["li_legal_name"] == "Kettle & Kiosk Ltd"
    assert submission.answers["vo_m12_value"] == {"minor": 1_800_000, "currency": "GBP"}
    assert digests.sha256_hex(submission.body.encode()) == submission.submission_sha256
    assert Event.objects.get(kind="application.submitted").subject_id == submitted.public_id
    entry = Entry.objects.get(code="application.submitted")
    assert entry.actor_id == factories.owner_of(submitted.business).public_id


def test_it_says_what_is_missing():
    with pytest.raises(applications.CannotSubmit) as refusal:
        submit(factories.an_application())

    codes = [blocker.code for blocker in refusal.value.blockers]
    assert codes[0] == "li_country_incorporation"
    assert "ri_pep" in codes


def test_it_asks_for_the_declaration():
    application = factories.an_application("answered")

    with pytest.raises(applications.NotDeclared):
        applications.submit(
            application, declared=False, by=factories.owner_of(application.business)
        )


def test_a_stranger_may_not():
    with pytest.raises(NotAllowed):
        applications.submit(
            factories.an_application("answered"), declared=True, by=factories.a_person()
        )


def test_it_happens_once():
    application = factories.an_application(ApplicationStatus.SUBMITTED)

    with pytest.raises(WrongStatus):
        submit(application)

    assert Submission.objects.count() == 1
    assert Entry.objects.filter(code="application.submitted").count() == 1


def test_a_country_that_became_restricted_is_refused_again():
    application = factories.an_application("answered")
    version = factories.restricted("GB", "United Kingdom").version

    with pytest.raises(ComplianceBlocked) as refusal:
        submit(application)

    assert refusal.value.code == "COMPLIANCE_BLOCKED"
    assert f"list {version}" in refusal.value.message


def test_hidden_answers_stay_in_the_draft_and_out_of_the_submission():
    application = factories.an_application(
        "answered", ff_client_money="yes", ff_safeguarding="x" * 50
    )
    application = factories.filled(application, ff_safeguarding=None)

    submission = submit(application).submission

    assert "ff_safeguarding" not in submission.answers
    assert submission.left_out == ["ff_safeguarding"]


def test_the_same_answers_have_the_same_hash():
    one, other = (
        factories.an_application(ApplicationStatus.SUBMITTED),
        factories.an_application(ApplicationStatus.SUBMITTED),
    )

    assert one.submission.submission_sha256 == other.submission.submission_sha256


def test_a_returned_application_is_submitted_again_under_the_next_number():
    again = submit(factories.an_application(ApplicationStatus.RETURNED))

    assert again.submission.number == 2
    assert again.message == ""
    assert again.assessment is None
