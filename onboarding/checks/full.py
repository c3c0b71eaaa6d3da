"""The full checks: what live keys ask of them, every check of the applicable list."""

from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding.checks import wanted
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application, Check, Submission


def blockers_of(business: Business) -> list[Blocker]:
    """Return what a business lacks of its applicable list; live takes an executed application."""
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    application = executed.select_related("submission").first()
    if application is None or application.submission is None:
        return [Blocker("application", "The application must be executed first.")]
    return _blockers(application.submission)


def _blockers(submission: Submission) -> list[Blocker]:
    """Return one blocker for each applicable check that was not run, or is not settled now."""
    run = {(check.subject, check.kind): check for check in submission.checks.in_order()}
    found = []
    for needed in wanted.of(submission):
        check = run.get((needed.subject, needed.inquiry.kind))
        if check is None or not check.is_settled:
            found.append(_blocker(check or Check(kind=needed.inquiry.kind), needed.inquiry.name))
    return found


def _blocker(check: Check, name: str) -> Blocker:
    said = f"{check.get_kind_display()} ({name}): {check.status_in_words}."
    return Blocker(f"check.{check.kind}", said)
