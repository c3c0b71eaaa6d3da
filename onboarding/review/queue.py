"""The reviewers' queue: cases with their age, due date and reason for waiting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.accounts.models import User
from console.core import clock
from console.core.subqueries import count_of
from onboarding import application_progress, statuses
from onboarding.lifecycle import ACCEPTED, IN_REVIEW, LIFECYCLE, WRITABLE, ApplicationStatus
from onboarding.models import Application, Check
from onboarding.models.application import ApplicationQuerySet
from onboarding.models.check import settled

ORDER = "submitted_at"
ID_PREFIX = "app_"


@dataclass(frozen=True)
class Case:
    """One line of the queue."""

    application: Application
    why: str
    due: date | None
    age: int
    tone: str
    left: str

    @property
    def score(self) -> str:
        return self.application.assessment.score if self.application.assessment else ""


def rows(chosen: Mapping[str, Any], person: User) -> ApplicationQuerySet:
    """Return the applications that the filters leave, the longest wait first."""
    found = _stage(chosen.get("stage") or "")
    if tier := chosen.get("tier"):
        found = found.filter(assessment__tier=tier)
    if owner := chosen.get("owner"):
        found = found.filter(case_owner=person if owner == "me" else None)
    if words := (chosen.get("q") or "").strip():
        # One condition for each, because no index serves both.
        is_id = words.startswith(ID_PREFIX)
        named = {"public_id": words} if is_id else {"business__name__folded__contains": words}
        found = found.filter(**named)
    checks = Check.objects.filter(~settled(), submission=OuterRef("submission"))
    found = found.annotate(open_checks=count_of(checks))
    return found.select_related("business", "submission", "assessment", "case_owner")


def cases(applications: Iterable[Application]) -> list[Case]:
    """Return the lines of the queue."""
    today = clock.now().date()
    return [_case(application, today) for application in applications]


def _stage(stage: str) -> ApplicationQuerySet:
    seen = Application.objects.seen_by_staff()
    if stage == "all":
        return seen
    if stage == "over":
        return seen.filter(status__in=LIFECYCLE.final)
    return seen.filter(status=stage) if stage else seen.in_review()


def _case(application: Application, today: date) -> Case:
    since = application.submitted_at.date() if application.submitted_at else today
    due = application_progress.due(application) if application.status in IN_REVIEW else None
    tone, left = _left(due, today)
    return Case(application, _why(application), due, (today - since).days, tone, left)


def _left(due: date | None, today: date) -> tuple[str, str]:
    """Return the tone and the text for the time left."""
    if due is None:
        return "quiet", ""
    days = (due - today).days
    if days < 0:
        return "danger", ngettext("%(days)s day late", "%(days)s days late", -days) % {
            "days": -days
        }
    if days == 0:
        return "warning", _("Due today")
    return "neutral", ngettext("%(days)s day left", "%(days)s days left", days) % {"days": days}


def _why(application: Application) -> str:
    """Return briefly what the case is waiting for."""
    waits_for = _(statuses.APPLICATION[application.status].staff.waits_for)
    if application.withdrawn_at is not None and application.status == ApplicationStatus.HELD:
        return _("%(waits_for)s, withdrawn by the business") % {"waits_for": waits_for}
    if application.status == ApplicationStatus.HELD or application.status in WRITABLE:
        return waits_for
    if application.status in ACCEPTED and getattr(application, "open_checks", 0) > 0:
        return _("A check was run again and did not pass")
    if application.assessment is None:
        return _("Checks are running")
    if application.assessment.knock_outs:
        return _("Knocked out")
    if count := getattr(application, "open_checks", 0):
        return ngettext("%(count)s check open", "%(count)s checks open", count) % {"count": count}
    return waits_for
