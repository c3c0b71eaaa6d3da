"""Event handlers after a submission: checks, score, and automatic clearing."""

from django.db import transaction

from console.accounts.actors import SYSTEM
from console.catalogue import products
from console.events import outbox as events
from console.events.models import Event
from onboarding import application_facts
from onboarding.checks import runs
from onboarding.information.models import InformationRequest
from onboarding.lifecycle import LIFECYCLE, ApplicationStatus
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


def on_information(event: Event) -> None:
    """Score again after an answer, and clear the application if it waited for nothing else."""
    rows = InformationRequest.objects.select_related(
        "application__business", "application__submission", "application__assessment"
    )
    asked = rows.get(public_id=event.subject_id)
    if asked.application.assessment is not None:
        go_on(asked.application)


def on_check_asked_again(event: Event) -> None:
    """Run a check again, then score and clear the application if possible."""
    check = _check(event.subject_id)
    if check.finished_at is None or check.finished_at < event.happened_at:
        runs.run(check)
    go_on(check.application)


def go_on(application: Application) -> Application:
    """Score the application; hold it for declared sanctions; clear it if no reviewer is needed.

    Closed applications stay unchanged, whatever their checks show later.
    """
    if application.status in LIFECYCLE.final:
        return application
    application = assessments.make(application, by=SYSTEM)
    if application.status != ApplicationStatus.SUBMITTED:
        return application
    if _must_hold(application):
        return _ask_reviewers(decisions.hold(application, note=SANCTIONS_DECLARED, by=SYSTEM))
    if clearing.blockers(application, by_person=False):
        return _ask_reviewers(application)
    return decisions.clear(application, by=SYSTEM)


def _ask_reviewers(application: Application) -> Application:
    """Tell our reviewers, once for each submission, that a case needs one of them, and by when."""
    assert application.submitted_at is not None
    kind, since = "application.reviewer_needed", application.submitted_at
    with transaction.atomic():
        if not events.was_published(kind, application, since=since):
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
