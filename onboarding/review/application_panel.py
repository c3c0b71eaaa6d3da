"""The case page's data about an application: answers, score, checks and ownership."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_noop

from console.accounts.models import User
from console.core.status_table import Tone
from console.publishing import in_use
from onboarding import application_progress, statuses
from onboarding.evidence.models import EvidenceFile
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest
from onboarding.intake import answers, signatory, tasklist
from onboarding.lifecycle import CHECK_LIFECYCLE, ActKind, CheckStatus
from onboarding.models import (
    Application,
    Assessment,
    CaseAct,
    CaseNote,
    Check,
    CheckWaiver,
    Submission,
)
from onboarding.ownership.structure import ANSWER
from onboarding.questionnaire import showing
from onboarding.review import answer_changes
from onboarding.review.mentions import Mentions
from onboarding.risk.model import MODELS, RiskModel
from onboarding.statuses import TIER_NAMES

BAR = 14
NOTES = 100


@dataclass(frozen=True)
class WaterfallBar:
    """One factor in the waterfall chart. Its bar, out of a hundred, is as wide as its score."""

    name: str
    question: str
    points: int
    weight: int
    start: str
    width: str
    y: int


@dataclass(frozen=True)
class Score:
    """A score, as its panel shows it."""

    assessment: Assessment
    falls: list[WaterfallBar]
    marks: list[dict[str, Any]]
    lines: list[tuple[str, str]]
    height: int

    @property
    def rounded(self) -> int:
        return self.assessment.score_x100 // 100


@dataclass(frozen=True)
class CheckLine:
    """One check, the actions available on it, and earlier decisions on the same question."""

    check: Check
    may_decide: bool
    may_run: bool
    may_waive: bool
    waiver: CheckWaiver | None
    earlier: list[CaseAct]

    @property
    def is_kept(self) -> bool:
        """Whether an earlier decision was reused, because the match is unchanged."""
        decided, found = self.check.decided_at, self.check.finished_at
        return decided is not None and found is not None and decided < found

    @property
    def tone(self) -> Tone:
        """The tone for passed or failed, or a warning if it needs attention."""
        tone = statuses.CHECK[self.check.status].tone
        return tone if not self.check.is_void and tone in ("ok", "danger") else "warning"


def application_panel(application: Application) -> dict[str, Any]:
    """Return the context of the templates `onboarding/_*.html`, in a fixed number of queries.

    Not the notes, which depend on the reader.
    """
    submission = application.submission
    assert submission is not None, f"{application} was never submitted"
    every = list(_checks(application))
    checks = [check for check in every if check.submission_id == submission.pk]
    requests = sorted(InformationRequest.objects.of(application), key=_by_whose_turn)
    acts = list(_acts(application))
    return {
        "application": application,
        "submission": submission,
        "sections": tasklist.answered(answers.frozen(submission)),
        "score": _score(application.assessment),
        "checks": [_check_line(check, acts) for check in sorted(checks, key=_by_need)],
        "every_check": every,
        "decisions": acts,
        "open_checks": sum(1 for check in checks if not check.is_settled),
        "ownership": _ownership(submission),
        "due": application_progress.due(application),
        "requests": requests,
        "answered_requests": [asked for asked in requests if asked.is_answered],
        "evidence": list(EvidenceFile.objects.of(application)),
    }


def compared(application: Application, against: str) -> dict[str, Any]:
    """Return the changes since an earlier version, by default the previous one."""
    assert application.submission is not None
    number = application.submission.number
    versions = list(application.submissions.filter(number__lt=number).order_by("-number"))
    if not versions:
        return {}
    chosen = next((one for one in versions if str(one.number) == against), versions[0])
    return {
        "versions": versions,
        "against": chosen,
        "changes": answer_changes.changes(chosen, application.submission),
    }


def notes(application: Application, *, confidential: bool) -> list[CaseNote]:
    """Return the newest notes, each with whom it was `told` and in `parts`, in two queries.

    `confidential` includes the notes of compliance.
    """
    rows = CaseNote.objects.of(application).select_related("author")
    found: list[Any] = list((rows if confidential else rows.filter(is_confidential=False))[:NOTES])
    ids = {public_id for note in found for public_id in note.mentioned}
    people = {one.public_id: one for one in User.objects.filter(public_id__in=ids)}
    for note in found:
        mentioned = [people[one] for one in note.mentioned if one in people]
        note.told = ", ".join(str(one) for one in mentioned)
        note.parts = list(Mentions(mentioned).parts(note.text))
    return found


def _score(assessment: Assessment | None) -> Score | None:
    if assessment is None:
        return None
    model = in_use.load(MODELS, assessment.model_version)
    limits = [
        (f"{limit.from_x100 / 100:.2f}", str(TIER_NAMES[limit.tier]))
        for limit in model.thresholds
        if limit.from_x100
    ]
    falls = list(_falls(assessment.factors, model))
    marks = [mark for mark in assessment.marks if mark["points"]]
    return Score(assessment, falls, marks, limits, BAR * len(falls))


def _falls(factors: Iterable[dict[str, Any]], model: RiskModel) -> Iterable[WaterfallBar]:
    questions = {factor.key: factor.question for factor in model.factors}
    start = 0
    for number, factor in enumerate(factors):
        yield WaterfallBar(
            name=factor["name"],
            question=questions.get(factor["key"], ""),
            points=factor["points"],
            weight=factor["weight"],
            start=_hundredths(start),
            width=_hundredths(factor["x100"]),
            y=number * BAR,
        )
        start += factor["x100"]


def _hundredths(number: int) -> str:
    return f"{number // 100}.{number % 100:02}"


def _checks(application: Application) -> "QuerySet[Check]":
    rows = application.checks.select_related("decided_by").in_order()
    waivers = CheckWaiver.objects.select_related("proposed_by", "decided_by").order_by("pk")
    return rows.prefetch_related(Prefetch("waivers", waivers))


def _acts(application: Application) -> "QuerySet[CaseAct]":
    """Return all acts of reviewers on a case, newest first."""
    acts = CaseAct.objects.filter(reviewer__application=application)
    related = ("reviewer__person", "decided_check__submission")
    return acts.select_related(*related).order_by("-pk")


def _by_need(check: Check) -> int:
    """Put first what failed or needs a decision, and last what is settled."""
    order = (CheckStatus.FAILED, CheckStatus.NEEDS_REVIEW, CheckStatus.ERRORED)
    return order.index(check.status) if check.status in order else len(order) + check.is_settled


def _by_whose_turn(asked: InformationRequest) -> int:
    """Put first the requests that wait for us, then those that wait for the business."""
    order = (InformationStatus.ANSWERED, InformationStatus.OPEN, InformationStatus.CLOSED)
    return order.index(asked.status)


def _check_line(check: Check, acts: Iterable[CaseAct]) -> CheckLine:
    waiver = next((one for one in check.waivers.all() if _is_shown(one, check)), None)
    return CheckLine(
        check,
        may_decide=check.status == CheckStatus.NEEDS_REVIEW and not check.is_void,
        may_run=check.status != CheckStatus.PASSED
        and CHECK_LIFECYCLE.allows(check.status, CheckStatus.RUNNING)
        and check.status != CheckStatus.PENDING,
        may_waive=CHECK_LIFECYCLE.allows(check.status, CheckStatus.WAIVED) and waiver is None,
        waiver=waiver,
        earlier=[act for act in acts if _is_earlier_decision(act, check)],
    )


def _is_earlier_decision(act: CaseAct, check: Check) -> bool:
    """Tell whether an act decided the same question earlier, for this or a previous submission."""
    decided = act.decided_check if act.kind == ActKind.DECIDE_CHECK else None
    if decided is None or act.at == check.decided_at:
        return False
    return (decided.kind, decided.subject_name) == (check.kind, check.subject_name)


def _is_shown(waiver: CheckWaiver, check: Check) -> bool:
    """Tell whether a waiver is waiting for a decision, or is the one in effect."""
    by_it = check.status == CheckStatus.WAIVED and waiver.ends_at == check.valid_until
    return waiver.decided_at is None or (by_it and bool(waiver.confirmed))


# Not asked of signatories who chose “I sign”: the answers are frozen with their account's details.
_SIGNATORY = {
    signatory.NAME: gettext_noop("Name of the signatory"),
    signatory.EMAIL: gettext_noop("E-mail of the signatory"),
}


def _ownership(submission: Submission) -> list[tuple[str, list[str]]]:
    """Return the other answers about ownership, as labels and lines."""
    given = answers.frozen(submission)
    section = given.edition.section("ownership")
    return [
        (_SIGNATORY.get(q.key, q.label), showing.lines(q, given.values[q.key]))
        for q in (section.questions if section else ())
        if q.key in given.values and q.key not in ("ow_owners", ANSWER)
    ]
