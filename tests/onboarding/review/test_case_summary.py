"""The top of the case page: why the tier, what waits, what changed, and what clears by itself."""

from django.urls import reverse
from django.utils.html import escape

from console.accounts.roles import Role
from onboarding.information.models import InformationRequest
from onboarding.intake import applications, information_replies
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import case_summary, clearing, decisions, information_requests
from onboarding.review.information_requests import Asked
from tests import factories
from tests.onboarding import answered
from tests.onboarding.review.test_earlier_decisions import case, decide

ENDS_BY_ITSELF = "We clear this case automatically"


def summed(application):
    return case_summary.summary(factories.fresh(application), ())


def asked_about(application, *words):
    """Return a request whose questions the business has answered."""
    by, owner = factories.one_of_staff(Role.COMPLIANCE), factories.owner_of(application.business)
    information_requests.ask(application, asked=[Asked("explain", w) for w in words], by=by)
    asked = InformationRequest.objects.of(application)[0]
    for item in asked.items.all():
        information_replies.reply(item, text="So it is.", by=owner)
    return information_replies.send(asked, by=owner)


def test_a_minimum_tier_and_a_score_each_say_why():
    high = factories.a_reviewed_application(**answered.HIGH)
    floors = [hit["name"] for hit in high.assessment.floors if hit["effect"] == "HIGH"]
    assert floors
    assert summed(high).why == floors

    low = factories.a_reviewed_application()
    first, *marks = summed(low).why
    assert low.assessment.score in first
    points = [mark["points"] for mark in low.assessment.marks if mark["points"] > 0]
    assert len(marks) == min(3, len(points))


def test_a_new_version_shows_what_changed_and_which_tier_it_had(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    assert summed(application).earlier is None
    by, owner = factories.one_of_staff(Role.COMPLIANCE), factories.owner_of(application.business)
    application = decisions.return_for_changes(application, note="One more thing.", by=by)
    was = application.assessment.tier
    application = factories.filled(application, **answered.LISTED | answered.HIGH)
    applications.submit(application, declared=True, by=owner)
    factories.settle_reviews()

    found = summed(application)

    assert found.earlier.number == 1
    assert found.changes
    assert found.other_tier.tier == was != factories.fresh(application).assessment.tier
    page = case(staff, application)
    assert escape(found.changes[0].label) in page
    assert "The tier was" in page


def test_the_last_answer_that_is_accepted_clears_and_says_so_before_and_after(staff):
    application = factories.a_reviewed_application(**answered.LISTED)
    to_accept = asked_about(application, "Who are they?")
    assert ENDS_BY_ITSELF in case(staff, application)

    decide(staff, application)
    page = case(staff, application)

    assert "so we clear the case" not in page
    assert page.index('id="requests"') < page.index('id="checks"')
    close = reverse("onboarding:close_request", args=[to_accept.public_id])
    closed = staff.post(close, follow=True)
    assert "so we clear the case" in closed.content.decode()
    factories.settle_reviews()
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


def test_the_last_check_that_is_decided_says_that_the_case_is_cleared(staff):
    application = factories.a_reviewed_application(**answered.LISTED)

    decide(staff, application)

    assert "so we clear the case" in case(staff, application)


def test_a_case_that_the_head_clears_never_promises_to_clear_itself(staff):
    application = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    asked = asked_about(application, "Who are they?")
    assert ENDS_BY_ITSELF not in case(staff, application)

    decide(staff, application)
    information_requests.close(asked, by=factories.one_of_staff(Role.COMPLIANCE))

    assert not clearing.what_follows(application)
    assert "so we clear the case" not in case(staff, application)


def test_what_failed_stands_before_what_passed(staff):
    application = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    decide(staff, application, passed="no")

    checks = case(staff, application).partition('id="checks"')[2]

    assert checks.index('data-tone="danger"') < checks.index('data-tone="ok"')
