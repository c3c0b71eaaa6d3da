"""Saving a section of the questionnaire: as you go, with others, losing nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import WrongStatus
from onboarding import restrictions, signatory
from onboarding.models import Answer, Application, Submission
from onboarding.questionnaire import answering, kinds, loading
from onboarding.questionnaire.problems import Context, Problem, Typed, Unreadable
from onboarding.questionnaire.schema import Edition, Question, Section, Value

BLOCKED = "COMPLIANCE_BLOCKED"
# What was typed and is not an answer is kept to be shown again; this much of it.
LONGEST_KEPT = 20_000


@dataclass(frozen=True)
class Draft:
    """One question of a form that was sent: the value it gives, or what was typed and why not."""

    question: Question
    value: Value = None
    typed: Typed | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def is_blocked(self) -> bool:
        return any(problem.code == BLOCKED for problem in self.problems)

    def differs_from(self, row: Answer | None) -> bool:
        return (self.value, self.typed) != _content(row)


@dataclass(frozen=True)
class AnswerSet:
    """The newest answers of an application."""

    edition: Edition
    rows: Mapping[str, Answer]

    @property
    def values(self) -> dict[str, Any]:
        return {key: row.value for key, row in self.rows.items() if row.value is not None}

    @property
    def unreadable(self) -> frozenset[str]:
        return frozenset(key for key, row in self.rows.items() if row.typed is not None)

    def typed(self, key: str) -> Any:
        row = self.rows.get(key)
        return None if row is None else row.typed


@dataclass(frozen=True)
class Saving:
    """What became of a form that was sent, and the answers as they are now.

    With `conflicts` (what somebody else has saved meanwhile, by question) nothing was kept.
    `problems` are what to put right; `opened` tells that the answers brought up new questions.
    """

    application: Application
    given: AnswerSet
    problems: tuple[Problem, ...] = ()
    conflicts: Mapping[str, Answer] = field(default_factory=dict)
    opened: bool = False

    @property
    def is_blocked(self) -> bool:
        return any(problem.code == BLOCKED for problem in self.problems)


def of(application: Application) -> AnswerSet:
    """Return the newest answers of an application, in one query."""
    rows = Answer.objects.of(application).newest().select_related("by")
    return AnswerSet(loading.edition(application.edition), {row.question: row for row in rows})


def newest(application: Application) -> AnswerSet:
    """Return the answers that count now: the draft, or what was submitted of it."""
    if application.is_writable or application.submission is None:
        return of(application)
    return frozen(application.submission)


def frozen(submission: Submission) -> AnswerSet:
    """Return the answers of a submission in the same shape."""
    rows = {key: Answer(question=key, value=value) for key, value in submission.answers.items()}
    return AnswerSet(loading.edition(submission.edition), rows)


def problems_in(given: AnswerSet, section: Section) -> list[Problem]:
    """Return what is wrong with a section as it is kept: what cannot be read, what does not fit."""
    shown = answering.visible(given.edition, given.values)
    problems: list[Problem] = []
    for question in section.questions:
        if question.key in given.unreadable & shown:
            problems += _draft(question, given.typed(question.key), given.values).problems
    return problems + answering.contradictions(given.edition, section, given.values)


@transaction.atomic
def save_section(
    application: Application,
    section_key: str,
    typed: Mapping[str, Typed],
    *,
    revision: int,
    by: User,
) -> Saving:
    """Keep what was typed in a section, good or not, unless somebody else was faster.

    `revision` is that of the page that was sent. A restricted country is refused at once and not
    kept; the other answers are. What somebody else has changed meanwhile is not overwritten.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_ANSWER, application.business)
    if not application.is_writable:
        raise WrongStatus("The answers cannot be changed now: the application is being reviewed.")

    before = of(application)
    section = _section(before.edition, section_key)
    drafts = _drafts(section, typed, before)
    changed, conflicts = _merge(application, section, drafts, before, revision)
    if conflicts:
        return Saving(application, before, conflicts=conflicts)
    kept = _keep(application, section, changed, by=by)
    _note_refusals(application, drafts, by=by)
    after = AnswerSet(before.edition, {**before.rows, **{row.question: row for row in kept}})
    signatory.follow(application, after, by=by)
    return _outcome(application, section, drafts, before, after)


def _section(edition: Edition, key: str) -> Section:
    section = edition.section(key)
    if section is None:
        raise LookupError(f"{key} is not a section.")
    return section


def _drafts(section: Section, typed: Mapping[str, Typed], before: AnswerSet) -> list[Draft]:
    drafts: list[Draft] = []
    for question in section.questions:
        if question.key in typed:
            known = {**before.values, **{draft.question.key: draft.value for draft in drafts}}
            drafts.append(_draft(question, typed[question.key], known))
    return drafts


def _draft(question: Question, typed: Typed, known: Mapping[str, Any]) -> Draft:
    if found := restrictions.find(answering.places(question, typed)):
        words = ((place.path, restrictions.words(entry)) for place, entry in found)
        return Draft(
            question, typed=typed, problems=tuple(Problem(path, w, BLOCKED) for path, w in words)
        )
    currency = known.get(question.currency_from) or ""
    context = Context(today=clock.now().date(), currency=str(currency))
    try:
        return Draft(question, value=kinds.read(question, typed, context))
    except Unreadable as unreadable:
        return Draft(question, typed=_storable(typed), problems=unreadable.problems)


def _merge(
    application: Application,
    section: Section,
    drafts: list[Draft],
    before: AnswerSet,
    revision: int,
) -> tuple[list[Draft], dict[str, Answer]]:
    """Return what this form changes, and what it would overwrite that it has not seen."""
    rows = before.rows
    allowed = [draft for draft in drafts if not draft.is_blocked]
    changed = [draft for draft in allowed if draft.differs_from(rows.get(draft.question.key))]
    if revision >= application.revision_of(section.key):
        return changed, {}
    then = Answer.objects.of(application).as_of(section.key, revision)
    seen = {row.question: row for row in then}
    mine = [draft for draft in changed if draft.differs_from(seen.get(draft.question.key))]
    unseen = {
        key: row
        for key, row in rows.items()
        if _content(row) != _content(seen.get(key)) and row.section == section.key
    }
    return mine, {d.question.key: unseen[d.question.key] for d in mine if d.question.key in unseen}


def _keep(
    application: Application, section: Section, changed: list[Draft], *, by: User
) -> list[Answer]:
    was = application.revision_of(section.key)
    application.touched_at = clock.now()
    kept = [
        Answer(
            application=application,
            section=section.key,
            question=draft.question.key,
            revision=was + 1,
            value=draft.value,
            typed=draft.typed,
            by=by,
            at=application.touched_at,
        )
        for draft in changed
    ]
    if kept:
        application.revisions = {**application.revisions, section.key: was + 1}
        Answer.objects.bulk_create(kept)
    application.save(update_fields=["revisions", "touched_at"])
    audit.record(
        "application.answered",
        application,
        by=by,
        before={"revision": was},
        after={"revision": application.revision_of(section.key)},
        section=section.key,
        questions=[row.question for row in kept],
    )
    return kept


def _note_refusals(application: Application, drafts: list[Draft], *, by: User) -> None:
    for draft in drafts:
        if draft.is_blocked:
            audit.record(
                "application.country_refused",
                application,
                by=by,
                question=draft.question.key,
                list=restrictions.current().version,
            )


def _outcome(
    application: Application,
    section: Section,
    drafts: list[Draft],
    before: AnswerSet,
    after: AnswerSet,
) -> Saving:
    edition, keys = after.edition, {question.key for question in section.questions}
    shown = answering.visible(edition, after.values)
    fresh = (shown - answering.visible(edition, before.values)) & keys
    problems = [p for draft in drafts if draft.question.key in shown for p in draft.problems]
    problems += answering.contradictions(edition, section, after.values)
    return Saving(application, after, tuple(problems), opened=bool(fresh))


def _content(row: Answer | None) -> tuple[Any, Any]:
    return (None, None) if row is None else (row.value, row.typed)


def _storable(typed: Any) -> Any:
    """Return what was typed without what the database cannot hold, and not without end."""
    match typed:
        case str():
            return typed.replace("\x00", "")[:LONGEST_KEPT]
        case list():
            return [_storable(item) for item in typed[: kinds.MOST_ROWS]]
        case dict():
            return {_storable(key): _storable(item) for key, item in typed.items()}
    return None
