"""The minimum checks, required for sandbox keys and a contract."""

from django.utils.translation import gettext as _

from console.accounts.models import Business
from console.core.refusals import Blocker
from onboarding.lifecycle import ACCEPTED, ApplicationStatus
from onboarding.models import Application
from onboarding.models.check import CheckKind

UNFINISHED = Blocker("checks", "Our checks are not finished. You do not need to do anything.")


def blockers(application: Application) -> list[Blocker]:
    """Return one blocker for each check of the newest submission that is not settled."""
    submission = application.submission
    if submission is None:
        return [Blocker("submission", _("The questionnaire has not been submitted yet."))]
    checks = list(submission.checks.in_order())
    if not checks:
        return [Blocker("checks", _("The checks have not been run yet."))]
    return [
        Blocker(
            f"check.{check.kind}",
            f"{check.get_kind_display()} ({check.subject_name}): {check.status_in_words}.",
        )
        for check in checks
        if not check.is_settled
    ]


def blockers_of(business: Business) -> list[Blocker]:
    """Return what blocks sandbox keys, in words for the business.

    The message is the same whichever check is open, so that it does not reveal a possible match.
    Nor do screenings count after execution: all had passed, so an open one would reveal it.
    """
    accepted = Application.objects.of(business).filter(status__in=ACCEPTED)
    application = accepted.select_related("submission").first()
    if application is None:
        return [Blocker("application", _("The application must be accepted first."))]
    found = blockers(application)
    if application.status == ApplicationStatus.EXECUTED:
        found = [one for one in found if one.code != f"check.{CheckKind.SCREENING}"]
    return [UNFINISHED] if found else []
