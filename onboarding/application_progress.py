"""The application's progress as the business sees it: who acts next, and by when."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import Http404
from django.utils.translation import gettext as _

from console.accounts.models import Business
from console.core import clock
from console.core.status_table import StatusRow
from console.shell.modules import May
from console.shell.progress import StageStatus
from onboarding import statuses
from onboarding.lifecycle import ACCEPTED, IN_REVIEW, ApplicationStatus
from onboarding.models import Application
from onboarding.tiers import Tier

# Working days from submission to our decision, by tier; before scoring, the longest applies.
WORKING_DAYS: dict[str, int] = {Tier.LOW: 3, Tier.MEDIUM: 5, Tier.HIGH: 10}
LONGEST = 10
_NOT_DECIDED = (ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED)


@dataclass(frozen=True)
class Turn:
    """Who acts next, what happens, and by when."""

    whose: str
    title: str
    words: str
    due: date | None = None


def turn(application: Application) -> Turn:
    """Return who acts next on an application that the business cannot edit."""
    said = statuses.APPLICATION[application.told_status].business
    waits = application.told_status in IN_REVIEW
    return Turn(said.turn, said.title, said.words, promised(application) if waits else None)


def due(application: Application) -> date | None:
    """Return the target date for our decision, by tier. For staff only.

    Of an accepted application only a check is open again, which is due on the next working day.
    """
    if application.status in ACCEPTED:
        return working_days_after(clock.now().date(), 1)
    return _days_after(application, WORKING_DAYS.get(application.tier, LONGEST))


def promised(application: Application) -> date | None:
    """Return the date by which the business hears from us.

    It is the same for every tier, because other dates would reveal the tier or a match.
    """
    return _days_after(application, LONGEST)


def _days_after(application: Application, days: int) -> date | None:
    if application.submitted_at is None:
        return None
    return working_days_after(application.submitted_at.date(), days)


def working_days_after(day: date, count: int) -> date:
    """Return the date that many working days later, Monday to Friday."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def reviewing(business: Business) -> StageStatus:
    """The stage “We review your answers” of a business's progress."""
    application = on_the_way(business)
    row = status_row(application)
    if application is None or not row.step.behind:
        return StageStatus("todo", _("Within %(days)s working days") % {"days": LONGEST})
    if application.told_status in IN_REVIEW:
        expected = promised(application)
        return StageStatus(
            "current",
            _("Expected by %(expected)s") % {"expected": f"{expected:%-d %B %Y}"}
            if expected
            else "",
        )
    return StageStatus(row.step.state, _(row.business.at_the_step))


def status_row(application: Application | None) -> StatusRow:
    """Return an application's status row, or the draft's if there is no application."""
    return statuses.APPLICATION[application.told_status if application else ApplicationStatus.DRAFT]


def newest(business: Business) -> Application | None:
    """Return the application that a business's pages show: its newest.

    Skip withdrawn and expired ones if there is another.
    """
    return _newest_but(list(_rows(business)), _NOT_DECIDED)


def newest_or_404(business: Business) -> Application:
    """Return the application that a business's pages show, or raise Http404 if there is none."""
    if (application := newest(business)) is None:
        raise Http404
    return application


def on_the_way(business: Business) -> Application | None:
    """Return the application that the stages show. A declined one does not hide an agreement.

    The applications are read once for a row of a business: a page asks for two stages of it.
    """
    rows = Prefetch("application_set", _rows(business), to_attr="applications_of_progress")
    prefetch_related_objects([business], rows)
    found: list[Application] = vars(business)["applications_of_progress"]
    return _newest_but(found, {*_NOT_DECIDED, ApplicationStatus.DECLINED})


def _rows(business: Business) -> QuerySet[Application]:
    rows = Application.objects.of(business)
    return rows.select_related("business", "submission", "assessment", "invitation")


def _newest_but(
    found: Sequence[Application], passed: Collection[ApplicationStatus]
) -> Application | None:
    others = (application for application in found if application.told_status not in passed)
    return next(others, found[0] if found else None)


def waiting_for_review(_person: object, _may: May) -> QuerySet[Application]:
    """Return the applications that wait in the queue."""
    return Application.objects.in_review()
