"""Evaluation of answers: which questions apply, which are missing, and contradictions."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from onboarding.questionnaire import (
    email_facts,
    ownership_answer,
    printable_answers,
    register_entry,
    rules,
)
from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import (
    Answers,
    Due,
    Edition,
    Question,
    QuestionKind,
    Section,
)
from onboarding.restrictions.restricted_list import StatedPlace


class AnswerState(models.TextChoices):
    """The state of a section, as the task list shows it."""

    DONE = "done", gettext_lazy("Completed")
    PROGRESS = "progress", gettext_lazy("In progress")
    TODO = "todo", gettext_lazy("Not yet started")
    PROBLEM = "problem", gettext_lazy("There is a problem")


def applicable(edition: Edition, answers: Answers) -> dict[str, Any]:
    """Return the answers whose questions are visible, in the edition's order."""
    shown = visible(edition, answers)
    return {q.key: answers[q.key] for q in edition if q.key in shown and _given(answers, q)}


def left_out(edition: Edition, answers: Answers) -> list[str]:
    """Return the questions that have an answer but are no longer visible."""
    shown = visible(edition, answers)
    return [q.key for q in edition if q.key not in shown and _given(answers, q)]


def visible(edition: Edition, answers: Answers) -> frozenset[str]:
    """Return the keys of the visible questions, given the answers so far.

    Hidden answers are ignored, so they also hide the questions that depend on them.
    """
    known: dict[str, bool] = {}

    def is_shown(question: Question) -> bool:
        if question.key not in known:
            leaves = question.visible.leaves()
            seen = {
                leaf.field: answers.get(leaf.field)
                for leaf in leaves
                if is_shown(edition.by_key[leaf.field])
            }
            known[question.key] = question.visible.holds(seen)
        return known[question.key]

    return frozenset(question.key for question in edition if is_shown(question))


def missing(edition: Edition, section: Section, answers: Answers) -> list[AnswerProblem]:
    """Return what must still be answered in a section before submission."""
    shown = visible(edition, answers)
    asked = (question for question in section.questions if question.key in shown)
    return [problem for question in asked for problem in _missing(question, answers)]


def _missing(question: Question, answers: Answers) -> Iterator[AnswerProblem]:
    if _given(answers, question):
        if question.kind is QuestionKind.OWNERSHIP:
            yield from ownership_answer.unfinished(question, answers[question.key])
    elif question.required and question.due is Due.SUBMIT:
        words = _("Answer “%(question)s”.") % {"question": question.label}
        yield AnswerProblem(question.key, words, "missing")


def contradictions(edition: Edition, section: Section, answers: Answers) -> list[AnswerProblem]:
    """Return a section's problems: broken rules, and answers unfit for documents or e-mails."""
    counted = applicable(edition, answers)
    unfit = [
        problem
        for question in section.questions
        if question.key in counted
        for told in (printable_answers, email_facts)
        for problem in told.problems(question, counted[question.key])
    ]
    if section.question(register_entry.NUMBER):
        unfit += register_entry.problems(counted)
    return unfit + [
        AnswerProblem(rule.field, rule.message, "contradiction")
        for rule in section.rules
        if rules.broken(rule, counted)
    ]


def state(
    edition: Edition, section: Section, answers: Answers, unreadable: frozenset[str]
) -> AnswerState:
    """Return a section's state. `unreadable` are the keys of answers whose input is invalid."""
    shown = visible(edition, answers)
    mine = [question for question in section.questions if question.key in shown]
    if unreadable & {question.key for question in mine}:
        return AnswerState.PROBLEM
    if contradictions(edition, section, answers):
        return AnswerState.PROBLEM
    if not any(_given(answers, question) for question in mine):
        return AnswerState.TODO
    return AnswerState.PROGRESS if missing(edition, section, answers) else AnswerState.DONE


def places(question: Question, value: Any) -> Iterator[StatedPlace]:
    """Yield every country in an answer, with its path."""
    match question.kind, value:
        case QuestionKind.COUNTRY, str(code):
            yield from _place(question, code, question.key)
        case QuestionKind.COUNTRIES, list(codes):
            for number, code in enumerate(codes):
                yield from _place(question, str(code), f"{question.key}.{number}")
        case QuestionKind.ADDRESS, {"country": str()} if question.restricted_as is not None:
            path = f"{question.key}.country"
            yield StatedPlace.of_address(value, question.restricted_as, path)
        case QuestionKind.ROWS, list(rows):
            yield from _places_in_rows(question, rows)
        case QuestionKind.OWNERSHIP, _:
            yield from ownership_answer.places(question, value)


def _places_in_rows(question: Question, rows: list[Any]) -> Iterator[StatedPlace]:
    for number, row in enumerate(rows):
        for column in question.columns:
            for place in places(column, row.get(column.key)):
                yield StatedPlace(
                    place.country, place.scope, place.words, f"{question.key}.{number}.{place.path}"
                )


def _place(question: Question, code: str, path: str) -> Iterator[StatedPlace]:
    if question.restricted_as is not None:
        yield StatedPlace(code.strip(), question.restricted_as, path=path)


def _given(answers: Answers, question: Question) -> bool:
    return answers.get(question.key) is not None
