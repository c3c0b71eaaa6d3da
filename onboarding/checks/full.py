"""The full checks, required for live keys: every check on the applicable list."""

from django.utils.translation import gettext as _

from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding.checks import minimum, required_checks
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application, Submission


def blockers_of(business: Business) -> list[Blocker]:
    """Return what blocks live keys: an application that is not executed, or unsettled checks.

    The message is the same whichever check is open, so that it does not reveal a possible match.
    """
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    application = executed.select_related("submission").first()
    if application is None or application.submission is None:
        return [Blocker("application", _("The application must be executed first."))]
    return [] if _is_settled(application.submission) else [minimum.UNFINISHED]


def _is_settled(submission: Submission) -> bool:
    """Tell whether every applicable check was run and is settled now."""
    run = {(check.subject, check.kind): check for check in submission.checks.in_order()}
    found = [
        run.get((one.subject, one.inquiry.kind)) for one in required_checks.checks_for(submission)
    ]
    return all(check is not None and check.is_settled for check in found)
