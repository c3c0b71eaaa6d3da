"""The top of the case page: why the tier is what it is, what waits, and what changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from console.core.refusals import Blocker
from onboarding.models import Application, Assessment, Submission
from onboarding.review import answer_changes, clearing
from onboarding.review.answer_changes import AnswerChange

# Indicators that are named when the score alone decides the tier.
_MOST = 3


@dataclass(frozen=True)
class CaseSummary:
    """`why`: sentences about the tier. `waits`: what blocks clearing. The rest: what changed.

    `clears_itself`: no reviewer needs to clear it once nothing of what waits blocks. `earlier` is
    the previous version of the answers, and `other_tier` the last assessment that gave another.
    """

    why: list[str]
    waits: Sequence[Blocker]
    clears_itself: bool
    earlier: Submission | None
    changes: list[AnswerChange]
    other_tier: Assessment | None


def summary(application: Application, blockers: Sequence[Blocker]) -> CaseSummary:
    """Return what stands on top of a case, in at most three queries."""
    submission, assessment = application.submission, application.assessment
    assert submission is not None, f"{application} was never submitted"
    earlier = None
    if submission.number > 1:
        earlier = application.submissions.get(number=submission.number - 1)
    return CaseSummary(
        why=_why(assessment) if assessment else [],
        waits=blockers,
        clears_itself=bool(blockers) and clearing.clears_itself(application),
        earlier=earlier,
        changes=answer_changes.changes(earlier, submission) if earlier else [],
        other_tier=_other_tier(assessment) if assessment else None,
    )


def _why(assessment: Assessment) -> list[str]:
    """Say what decided: a knock-out, else the minimum tiers above the score's, else the score."""
    decided = assessment.knock_outs or [
        hit
        for hit in assessment.floors
        if hit["effect"] == assessment.tier != assessment.tier_by_score
    ]
    if decided:
        return [hit["name"] for hit in decided]
    marks = sorted(assessment.marks, key=lambda mark: mark["points"], reverse=True)[:_MOST]
    return [
        _("The score is %(score)s of 100.") % {"score": assessment.score},
        *(_("%(sentence)s (%(points)s points)") % mark for mark in marks if mark["points"] > 0),
    ]


def _other_tier(assessment: Assessment) -> Assessment | None:
    earlier = Assessment.objects.filter(
        application=assessment.application_id, number__lt=assessment.number
    )
    return earlier.exclude(tier=assessment.tier).order_by("-number").first()
