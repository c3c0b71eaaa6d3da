"""The reviewers' queue: what waits, in which order, how old, and due when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import OuterRef, Q

from console.core import clock
from console.core.subqueries import count_of
from onboarding import application_progress, statuses
from onboarding.lifecycle import IN_REVIEW, LIFECYCLE, WRITABLE, ApplicationStatus
from onboarding.models import Application, Check
from onboarding.models.application import ApplicationQuerySet
from onboarding.models.check import settled


@dataclass(frozen=True)
class Case:
    """One line of the queue."""

    application: Application
    tier: str
    why: str
    due: date | None
    age: int
    tone: str
    left: str

    @property
    def score(self) -> str:
        return self.application.assessment.score if self.application.assessment else ""


def rows(chosen: Mapping[str, Any]) -> ApplicationQuerySet:
    """Return the applications that the filters leave, the longest wait first."""
    found = Application.objects.seen_by_staff().filter(_stage(chosen.get("stage") or ""))
    if tier := chosen.get("tier"):
        found = found.filter(assessment__tier=tier)
    if words := chosen.get("q"):
        found = found.filter(Q(business__name__icontains=words) | Q(public_id=words.strip()))
    checks = Check.objects.filter(~settled(), submission=OuterRef("submission"))
    found = found.annotate(open_checks=count_of(checks)).order_by("submitted_at", "pk")
    return found.select_related("business", "submission", "assessment")


def cases(applications: Iterable[Application]) -> list[Case]:
    """Return the lines of the queue."""
    today = clock.now().date()
    return [_case(application, today) for application in applications]


def _stage(stage: str) -> Q:
    if stage == "all":
        return Q()
    if stage == "over":
        return Q(status__in=LIFECYCLE.final)
    return Q(status=stage) if stage else Q(status__in=IN_REVIEW)


def _case(application: Application, today: date) -> Case:
    since = application.submitted_at.date() if application.submitted_at else today
    due = application_progress.due(application) if application.status in IN_REVIEW else None
    tone, left = _left(due, today)
    tier = application.assessment.tier if application.assessment else ""
    return Case(application, tier, _why(application), due, (today - since).days, tone, left)


def _left(due: date | None, today: date) -> tuple[str, str]:
    """Return how the time left is shown: a tone, and the words that say the same."""
    if due is None:
        return "quiet", ""
    days = (due - today).days
    if days < 0:
        return "danger", f"{-days} day{'s'[: days != -1]} late"
    if days == 0:
        return "warning", "Due today"
    return "neutral", f"{days} day{'s'[: days != 1]} left"


def _why(application: Application) -> str:
    """Say in a few words why the case is here."""
    waits_for = statuses.APPLICATION[application.status].staff.waits_for
    if application.withdrawn_at is not None and application.status == ApplicationStatus.HELD:
        return f"{waits_for}, withdrawn by the business"
    if application.status == ApplicationStatus.HELD or application.status in WRITABLE:
        return waits_for
    if application.assessment is None:
        return "Being checked"
    if application.assessment.knock_outs:
        return "Knocked out"
    if count := getattr(application, "open_checks", 0):
        return f"{count} check{'s'[: count != 1]} open"
    return waits_for
