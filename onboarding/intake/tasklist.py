"""The task list of an application: sections in groups, with their state."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from console.core.refusals import Blocker
from onboarding.information.models import InformationItem
from onboarding.intake import ownership_form, signatory
from onboarding.intake.answer_set import AnswerSet
from onboarding.models import Application
from onboarding.ownership import structure
from onboarding.questionnaire import answering, completeness, register_entry, showing
from onboarding.questionnaire.answering import AnswerState
from onboarding.questionnaire.edition_schema import Question, Section


@dataclass(frozen=True)
class Task:
    """One line of the task list."""

    section: Section
    state: AnswerState
    #: How many questions of our reviewers are about its answers.
    asked: int


@dataclass(frozen=True)
class TaskList:
    """All sections in their groups."""

    groups: list[tuple[str, list[Task]]]
    minutes: int
    asked: Sequence[InformationItem]

    @property
    def tasks(self) -> list[Task]:
        return [task for _title, tasks in self.groups for task in tasks]

    @property
    def due(self) -> datetime | None:
        """When the first reply to our reviewers is due."""
        return min((item.request.due_at for item in self.asked), default=None)

    @property
    def documents(self) -> int:
        """How many documents our reviewers ask for."""
        return sum(item.wants_document for item in self.asked)

    @property
    def done(self) -> int:
        return sum(task.state is AnswerState.DONE for task in self.tasks)

    @property
    def total(self) -> int:
        return len(self.tasks)

    @property
    def is_complete(self) -> bool:
        return self.done == self.total


@dataclass(frozen=True)
class TaskLine:
    """One question with its answer, for the check page."""

    question: Question
    lines: list[str]
    problem: str = ""
    is_open: bool = True


def task_list(given: AnswerSet, asked: Sequence[InformationItem] = ()) -> TaskList:
    """Return the task list for the answers so far, and what our reviewers ask."""
    states = completeness.states(given.edition, given.values, given.unreadable)
    groups = [
        (title, [_task(section, states[section.key], asked) for section in sections])
        for title, sections in given.edition.groups()
    ]
    return TaskList(groups, given.edition.minutes, asked)


def _task(section: Section, state: AnswerState, asked: Sequence[InformationItem]) -> Task:
    keys = {question.key for question in section.questions}
    return Task(section, state, sum(item.question in keys for item in asked))


def next_unfinished(given: AnswerSet, after: Section) -> Section | None:
    """Return the first section after this one that is not complete, starting over at the end."""
    states = completeness.states(given.edition, given.values, given.unreadable)
    sections = given.edition.sections
    turn = sections.index(after) + 1
    in_order = (*sections[turn:], *sections[:turn])
    return next((one for one in in_order if states[one.key] is not AnswerState.DONE), None)


def answered(
    given: AnswerSet, allowed: Collection[str] | None = None
) -> list[tuple[Section, list[TaskLine]]]:
    """Return every applicable question with its answer, section by section.

    `allowed` are the questions whose answers may change; None means all.
    """
    shown = answering.visible(given.edition, given.values)
    return [
        (section, [_line(q, given, allowed) for q in section.questions if q.key in shown])
        for section in given.edition.sections
    ]


def left_out(given: AnswerSet) -> list[Question]:
    """Return the questions whose answers are not submitted, because they no longer apply."""
    keys = answering.left_out(given.edition, given.values)
    return [given.edition.by_key[key] for key in keys]


def to_put_right(
    application: Application, given: AnswerSet, refused: Sequence[Blocker] = ()
) -> list[tuple[Section, Blocker]]:
    """Return what must be corrected before submission, each with its section.

    `refused` are the blockers of a refused submission, if any, which include unanswered questions.
    """
    wrong = completeness.wrong(given.edition, given.values, given.unreadable)
    told = refused or [*wrong, *signatory.blockers(application, given)]
    return [(given.edition.section_of[blocker.code], blocker) for blocker in told]


def _line(question: Question, given: AnswerSet, allowed: Collection[str] | None) -> TaskLine:
    is_open = allowed is None or question.key in allowed
    if question.key in given.unreadable:
        return TaskLine(question, [], _("Correct this answer."), is_open)
    lines = showing.lines(question, given.values.get(question.key))
    if question.key == structure.ANSWER:
        lines = [*lines, *ownership_form.sentences(given)]
    if question.key == signatory.WHO and (who := signatory.completed(given)):
        lines = [*lines, *who.values()]
    if question.key == register_entry.NUMBER and (
        said := register_entry.in_documents(given.values)
    ):
        lines = [*lines, said]
    missing = not lines and question.required
    return TaskLine(question, lines, _("Not answered yet.") if missing else "", is_open)
