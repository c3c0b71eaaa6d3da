"""Event handlers after a submission: checks, score, and automatic clearing."""

from datetime import datetime, timedelta

from django.db import transaction

from console.accounts.actors import SYSTEM
from console.catalogue import products
from console.core import clock
from console.events import outbox as events
from console.events.models import Event
from onboarding import application_facts
from onboarding.checks import runs
from onboarding.information.models import InformationRequest
from onboarding.lifecycle import ACCEPTED, LIFECYCLE, ApplicationStatus, CheckStatus
from onboarding.models import Application, Check
from onboarding.review import clearing, decisions
from onboarding.risk import assessments

SANCTIONS_DECLARED = "The business says that it, or someone named, has been subject to sanctions."


def on_submitted(event: Event) -> None:
    """Run the checks and score the application. Safe to interrupt and run again."""
    application = _application(event.subject_id)
    if application.submission is not None and application.status == ApplicationStatus.SUBMITTED:
        runs.run_all(application.submission)
        go_on(application)


def request_products(event: Event) -> None:
    """Request the products named in the submission, in the same transaction."""
    application = _application(event.subject_id)
    if application.withdrawn_at is not None:
        return
    submission = application.submission
    assert submission is not None
    wanted = application_facts.products(submission)
    products.request(application.business, wanted, by=submission.submitted_by)


def on_check_decided(event: Event) -> None:
    """Score again after a reviewer's decision, and clear the application if possible."""
    go_on(_check(event.subject_id).application)


def on_check_finished(event: Event) -> None:
    """Tell our reviewers about an accepted application's check that did not pass."""
    check = _check(event.subject_id)
    did_not_pass = check.status in (CheckStatus.FAILED, CheckStatus.NEEDS_REVIEW)
    if did_not_pass and check.application.status in ACCEPTED:
        _ask_reviewers(check.application, since=clock.now() - timedelta(days=1))


def on_information(event: Event) -> None:
    """Score again after an answer, and clear the application if it waited for nothing else."""
    rows = InformationRequest.objects.select_related(
        "application__business", "application__submission", "application__assessment"
    )
    asked = rows.get(public_id=event.subject_id)
    application = asked.application
    # The score of a cleared application stays the one that its pack was prepared for.
    if application.status == ApplicationStatus.SUBMITTED and application.assessment is not None:
        go_on(application)


def on_authority_accepted(event: Event) -> None:
    """Clear an application that waited only for legal's decision on the signatory's authority."""
    application = _application(event.subject_id)
    if application.status == ApplicationStatus.SUBMITTED and application.assessment is not None:
        go_on(application)


def on_check_asked_again(event: Event) -> None:
    """Run a check again, then score and clear the application if possible."""
    check = _check(event.subject_id)
    if check.finished_at is None or check.finished_at < event.happened_at:
        runs.run(check)
    go_on(check.application)


def on_access_restored(event: Event) -> None:
    """Clear an application that waited only for the access of its business."""
    rows = Application.objects.select_related("business", "submission", "assessment")
    in_review = rows.filter(
        business__public_id=event.subject_id, status=ApplicationStatus.SUBMITTED
    )
    for application in in_review.exclude(assessment=None):
        go_on(application)


def go_on(application: Application) -> Application:
    """Score the application; hold it for declared sanctions; clear it if no reviewer is needed.

    Closed applications stay unchanged, whatever their checks show later.
    """
    if application.status in LIFECYCLE.final:
        return application
    application = assessments.make(application, by=SYSTEM)
    if application.submission is not None and runs.run_further(application.submission):
        application = assessments.make(application, by=SYSTEM)
    if application.status != ApplicationStatus.SUBMITTED:
        return application
    if _must_hold(application):
        held = decisions.hold(application, note=SANCTIONS_DECLARED, by=SYSTEM)
        return _ask_reviewers(held, since=held.submitted_at)
    if clearing.blockers(application, by=SYSTEM):
        return _ask_reviewers(application, since=application.submitted_at)
    return decisions.clear(application, by=SYSTEM)


def _ask_reviewers(application: Application, *, since: datetime | None) -> Application:
    """Tell our reviewers that a case needs one of them, unless they were told since then."""
    assert since is not None
    with transaction.atomic():
        if not events.was_published("application.reviewer_needed", application, since=since):
            events.publish("application.reviewer_needed", application)
    return application


def _must_hold(application: Application) -> bool:
    submission = application.submission
    declared = submission is not None and submission.answers.get("ri_sanctions")
    return bool(declared) and application.released_at is None


def _application(public_id: str) -> Application:
    rows = Application.objects.select_related("business", "submission", "assessment")
    return rows.get(public_id=public_id)


def _check(public_id: str) -> Check:
    rows = Check.objects.select_related(
        "application__business", "application__submission", "application__assessment"
    )
    return rows.get(public_id=public_id)
