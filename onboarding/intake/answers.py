"""Saving a section of the questionnaire, with autosave and concurrent editing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import WrongStatus
from console.publishing import in_use
from onboarding.intake import merging, signatory, suggestions, typed_answers
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.merging import Merge, OpenPage
from onboarding.intake.typed_answers import BLOCKED, Draft
from onboarding.models import Answer, Application, Submission
from onboarding.questionnaire import answering, loading
from onboarding.questionnaire.answer_problems import AnswerProblem, Typed
from onboarding.questionnaire.edition_schema import Section
from onboarding.restrictions import refusing


@dataclass(frozen=True)
class Saving:
    """The result of saving a form, with the answers as they are now.

    `conflicts` are answers that somebody else saved meanwhile, by question; these are kept. What
    was sent for them is in `unsaved`, as are answers that name a restricted country. `problems`
    must be corrected. `unseen` are other people's answers that the page does not show.
    """

    application: Application
    given: AnswerSet
    problems: tuple[AnswerProblem, ...] = ()
    conflicts: Mapping[str, Answer] = field(default_factory=dict)
    unsaved: Mapping[str, Typed] = field(default_factory=dict)
    unseen: tuple[Answer, ...] = ()

    @property
    def is_blocked(self) -> bool:
        return any(problem.code == BLOCKED for problem in self.problems)


def answer_set(application: Application) -> AnswerSet:
    """Return the newest answers of an application, in one query."""
    rows = Answer.objects.of(application).newest().select_related("by")
    edition = in_use.load(loading.EDITIONS, application.edition)
    return AnswerSet(edition, {row.question: row for row in rows})


def newest(application: Application) -> AnswerSet:
    """Return the current answers: the draft or, while it cannot be edited, the submission."""
    if application.is_writable or application.submission is None:
        return answer_set(application)
    return frozen(application.submission)


def frozen(submission: Submission) -> AnswerSet:
    """Return a submission's answers as an AnswerSet."""
    rows = {key: Answer(question=key, value=value) for key, value in submission.answers.items()}
    return AnswerSet(in_use.load(loading.EDITIONS, submission.edition), rows)


def problems_in(given: AnswerSet, section: Section) -> list[AnswerProblem]:
    """Return the problems of a section as stored: unreadable answers and contradictions."""
    shown = answering.visible(given.edition, given.values)
    problems: list[AnswerProblem] = []
    for question in section.questions:
        if question.key in given.unreadable & shown:
            problems += typed_answers.read(
                question, given.typed(question.key), given.values
            ).problems
    return problems + answering.contradictions(given.edition, section, given.values)


@transaction.atomic
def save_section(
    application: Application,
    section_key: str,
    typed: Mapping[str, Typed],
    *,
    page: OpenPage,
    by: User,
) -> Saving:
    """Save what was entered in a section, valid or not, without overwriting others' changes.

    Only answers that differ from what the page showed are saved. Answers that somebody else changed
    meanwhile are not overwritten, nor those that our reviewers did not open. A restricted country
    is refused at once; the other answers are saved.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_ANSWER, application.business)
    if not application.is_writable:
        raise WrongStatus(
            _("You cannot change the answers now, because we are reviewing the application.")
        )
    business_access.require(application.business)

    before = answer_set(application)
    section = before.edition.section(section_key)
    assert section is not None, f"{section_key} is not a section."
    allowed = before.open_keys(application)
    if allowed is not None:
        typed = {key: sent for key, sent in typed.items() if key in allowed}
    then = merging.seen(application, section, before.rows, page)
    # Left out before amounts are read, which would take a currency that is no longer chosen.
    typed = {key: sent for key, sent in typed.items() if not page.is_late(then.get(key))}
    elsewhere = {key: row for key, row in before.rows.items() if row.section != section.key}
    shown = AnswerSet(before.edition, {**elsewhere, **then})
    suggested = suggestions.suggestions(shown, application.business, by)
    sent = typed_answers.read_all(section, typed, shown.values)
    merged = merging.merge(section, sent, before.rows, then, page, suggested)
    kept = _keep(application, section, merged.changed, page=page, by=by)
    _note_refusals(application, sent, by=by)
    after = AnswerSet(before.edition, {**before.rows, **{row.question: row for row in kept}})
    signatory.follow(application, after, by=by)
    return _outcome(application, section, sent, merged, after)


def _keep(
    application: Application,
    section: Section,
    changed: Iterable[Draft],
    *,
    page: OpenPage,
    by: User,
) -> list[Answer]:
    was = application.revision_of(section.key)
    application.touched_at = clock.now()
    kept = [
        Answer(
            application=application,
            section=section.key,
            question=draft.question.key,
            revision=was + 1,
            page=page.name,
            sequence=page.sequence,
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


def _note_refusals(application: Application, sent: list[Draft], *, by: User) -> None:
    for draft in sent:
        if draft.is_blocked:
            audit.record(
                "application.country_refused",
                application,
                by=by,
                question=draft.question.key,
                list=refusing.current().version,
            )


def _outcome(
    application: Application, section: Section, sent: list[Draft], merged: Merge, after: AnswerSet
) -> Saving:
    shown = answering.visible(after.edition, after.values)
    unsaved = [d for d in sent if d.is_blocked or d.question.key in merged.conflicts]
    problems = [p for draft in unsaved if draft.question.key in shown for p in draft.problems]
    return Saving(
        application,
        after,
        problems=(*problems, *problems_in(after, section)),
        conflicts=merged.conflicts,
        unsaved={draft.question.key: draft.sent for draft in unsaved},
        unseen=merged.unseen,
    )
