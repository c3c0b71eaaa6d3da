"""The full checks, required for live keys: every check on the applicable list."""

from django.utils.translation import gettext as _

from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding import application_facts
from onboarding.checks import minimum, required_checks
from onboarding.models import Submission
from onboarding.models.check import CheckKind


def blockers_of(business: Business, *, is_told: bool = False) -> list[Blocker]:
    """Return what blocks live keys: an application that is not executed, or unsettled checks.

    The message is the same whichever check is open, so that it does not reveal a possible match.
    With `is_told`, the business sees the result: screenings are left out. All of them passed before
    execution, so one that is open again would reveal a possible match.
    """
    submission = application_facts.executed_submission(business)
    if submission is None:
        return [Blocker("application", _("The application must be executed first."))]
    is_settled = _is_settled(submission, without_screening=is_told)
    return [] if is_settled else [minimum.UNFINISHED]


def _is_settled(submission: Submission, *, without_screening: bool) -> bool:
    """Tell whether every applicable check was run and is settled now."""
    is_high = required_checks.is_high(submission)
    run = {(check.subject, check.kind): check for check in submission.checks.in_order()}
    found = [
        run.get((one.subject, one.inquiry.kind))
        for one in required_checks.checks_for(submission, is_high=is_high)
        if not (without_screening and one.inquiry.kind == CheckKind.SCREENING)
    ]
    return all(check is not None and check.is_settled for check in found)
