"""Possible matches that wait for compliance, each with the time by which it is due."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, Q, Subquery
from django.urls import reverse

from console.core import clock
from console.core.subqueries import half_of_rows
from console.shell.modules import May
from onboarding.lifecycle import LIFECYCLE, ApplicationStatus, CheckStatus
from onboarding.models import Application, Check
from onboarding.models.check import CheckKind, CheckQuerySet

# Compliance decides within a day, because a business with access keeps it until then.
DUE_AFTER = timedelta(days=1)
_OVER = LIFECYCLE.final - {ApplicationStatus.EXECUTED}


@dataclass(frozen=True)
class MatchTask:
    """A check that needs a decision, and when it is due."""

    check: Check
    due_at: datetime

    @property
    def url(self) -> str:
        """The page with both sides of each match, or for other providers the decision itself."""
        has_sides = "matches" in self.check.evidence
        page = "onboarding:possible_matches" if has_sides else "onboarding:decide_check"
        return reverse(page, args=[self.check.public_id])

    @property
    def is_late(self) -> bool:
        return self.due_at <= clock.now()


def waiting() -> CheckQuerySet:
    """Return the screening checks that need a decision, of applications that are not over.

    The longest wait comes first.
    """
    # Not a join: PostgreSQL expects that it leaves no row, and would read both tables whole.
    current = Application.objects.exclude(status__in=_OVER).filter(pk=OuterRef("application"))
    checks = Check.objects.filter(
        half_of_rows(Q(submission=Subquery(current.values("submission")))),
        kind=CheckKind.SCREENING,
        status=CheckStatus.NEEDS_REVIEW,
        finished_at__isnull=False,
    )
    return checks.order_by("finished_at", "pk")


def task(check: Check) -> MatchTask:
    """Return the task of a check that has a result."""
    assert check.finished_at is not None
    return MatchTask(check, check.finished_at + DUE_AFTER)


def in_any_order(_person: object, _may: May) -> CheckQuerySet:
    """Return the possible matches that wait, to be counted."""
    # PostgreSQL expects few of these rows, and would sort all of them.
    return waiting().order_by()
