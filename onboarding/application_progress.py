"""Where an application stands, in the words of its business: whose turn, and until when."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from console.accounts.models import Business
from console.shell.progress import StageStatus
from onboarding.lifecycle import IN_REVIEW, ApplicationStatus
from onboarding.models import Application
from onboarding.restrictions.refusing import CONTACT
from onboarding.tiers import Tier

# Working days of ours from submission to a decision, by tier; before the score, the longest.
WORKING_DAYS = {Tier.LOW: 3, Tier.MEDIUM: 5, Tier.HIGH: 10}
LONGEST = 10


@dataclass(frozen=True)
class Turn:
    """Whose turn it is, what happens, and by when."""

    whose: str
    title: str
    words: str
    due: date | None = None


# Whose turn, the title and the words, where the business has nothing to do. A hold is not told.
_REVIEWING = (
    "Ours",
    "We are reviewing your answers",
    "We check your answers with registers and lists. Where that leaves a question, a person looks.",
)
_TOLD = {
    ApplicationStatus.SUBMITTED: _REVIEWING,
    ApplicationStatus.HELD: _REVIEWING,
    ApplicationStatus.CLEARED: (
        "It goes on with the agreements",
        "Your answers are accepted",
        "The next step is your agreement pack.",
    ),
    ApplicationStatus.EXECUTED: (
        "Nobody's",
        "Your access is agreed",
        "Your agreements are executed. These are the answers that they were made from.",
    ),
    ApplicationStatus.DECLINED: (
        "Nobody's",
        "We cannot continue",
        "We cannot continue with this application (code REVIEW_DECLINED). If you have questions, "
        f"write to {CONTACT}.",
    ),
    ApplicationStatus.WITHDRAWN: (
        "Nobody's",
        "Withdrawn",
        "This application was taken back. The answers are kept.",
    ),
    ApplicationStatus.EXPIRED: (
        "Nobody's",
        "Closed",
        "Nobody worked on this application for 90 days, so it was closed.",
    ),
}


def turn(application: Application) -> Turn:
    """Return whose turn it is, for an application that its business cannot write in."""
    whose, title, words = _TOLD[ApplicationStatus(application.status)]
    waits = application.status in IN_REVIEW
    return Turn(whose, title, words, due(application) if waits else None)


def due(application: Application) -> date | None:
    """Return the day by which we mean to have decided."""
    if application.submitted_at is None:
        return None
    tier = application.assessment.tier if application.assessment else ""
    days = WORKING_DAYS[Tier(tier)] if tier in WORKING_DAYS else LONGEST
    return working_days_after(application.submitted_at.date(), days)


def working_days_after(day: date, count: int) -> date:
    """Return the day that many working days later, Monday to Friday."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def answering(business: Business) -> StageStatus:
    """The stage “Answer the questions” of a business's progress."""
    application = newest(business)
    if application is None or application.is_writable:
        returned = application is not None and application.status == ApplicationStatus.RETURNED
        detail = "Changes are asked for" if returned else "Twelve sections, in any order"
        url = Application(business=business).get_absolute_url()
        return StageStatus("problem" if returned else "current", detail, url, "Open")
    if application.status in (ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED):
        return StageStatus("todo", application.get_status_display(), application.get_absolute_url())
    return StageStatus("done", "Submitted", application.get_absolute_url(), "See")


def reviewing(business: Business) -> StageStatus:
    """The stage “We review your answers” of a business's progress."""
    application = newest(business)
    if application is None or application.status in (
        *_OVER,
        ApplicationStatus.DRAFT,
        ApplicationStatus.RETURNED,
    ):
        return StageStatus("todo", "A few working days")
    if application.status in (ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED):
        return StageStatus("done", "Accepted")
    if application.status == ApplicationStatus.DECLINED:
        return StageStatus("problem", f"We cannot continue. Questions? Write to {CONTACT}.")
    expected = due(application)
    return StageStatus("current", f"Expected by {expected:%-d %B %Y}" if expected else "")


_OVER = (ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED)


def newest(business: Business) -> Application | None:
    """Return the application that a business's pages show: its newest."""
    rows = Application.objects.of(business)
    return rows.select_related("business", "submission", "assessment", "invitation").first()


def waiting_for_review(_user: Any, _business_id: str) -> int:
    """Return how many applications wait in the queue."""
    return Application.objects.in_review().count()
