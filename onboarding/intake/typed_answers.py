"""Parsing the input for one question: its value, or the input and its problems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from console.core import clock, text
from onboarding.models import Answer
from onboarding.questionnaire import answering, form_values, ownership_answer, question_kinds
from onboarding.questionnaire.answer_problems import AnswerProblem, Context, Typed, Unreadable
from onboarding.questionnaire.edition_schema import Question, QuestionKind, Section, Value
from onboarding.questionnaire.named_parties import people_in
from onboarding.restrictions import refusing
from onboarding.screening.organisation_names import organisation_word

BLOCKED = "COMPLIANCE_BLOCKED"
# A person whose name looks like an organisation's or like several people's.
ORGANISATION = "organisation"
# Longest invalid input that is stored to be shown again, in characters.
LONGEST_KEPT = 20_000


@dataclass(frozen=True)
class Draft:
    """The parsed input for one question. `typed` is the input to store if it is not valid."""

    question: Question
    sent: Typed
    value: Value = None
    typed: Typed | None = None
    problems: tuple[AnswerProblem, ...] = ()

    @property
    def is_blocked(self) -> bool:
        return any(problem.code == BLOCKED for problem in self.problems)

    def differs_from(self, row: Answer | None) -> bool:
        return (self.value, self.typed) != content(row)

    def was_touched_since(self, row: Answer | None) -> bool:
        """Tell whether the input differs from the answer that the page showed."""
        return self.differs_from(row) and not self.repeats(as_shown(self.question, row))

    def repeats(self, shown: Typed) -> bool:
        """Tell whether a browser that shows this sends the same input back."""
        return form_values.is_untouched(self.question, self.sent, shown)


def content(row: Answer | None) -> tuple[Any, Any]:
    """Return an answer's value and input, regardless of who gave it and when."""
    return (None, None) if row is None else (row.value, row.typed)


def as_shown(question: Question, row: Answer | None) -> Typed:
    """Return an answer as form input."""
    value, typed = content(row)
    return form_values.shown(question, value) if typed is None else typed


def read_all(section: Section, typed: Mapping[str, Typed], known: Mapping[str, Any]) -> list[Draft]:
    """Parse the input for a section. `known` are the answers that the page had shown."""
    drafts: list[Draft] = []
    for question in section.questions:
        if question.key in typed:
            sent = {draft.question.key: draft.value for draft in drafts}
            drafts.append(read(question, typed[question.key], {**known, **sent}))
    return drafts


def read(question: Question, typed: Typed, known: Mapping[str, Any]) -> Draft:
    """Parse the input for one question."""
    if found := refusing.find(answering.places(question, typed)):
        words = ((place.path, refusing.words(entry)) for place, entry in found)
        problems = tuple(AnswerProblem(path, w, BLOCKED) for path, w in words)
        return Draft(question, typed, typed=_storable(typed), problems=problems)
    currency = known.get(question.currency_from) or ""
    context = Context(today=clock.now().date(), currency=str(currency))
    problems = _no_single_person(question, typed)
    try:
        value = question_kinds.read(question, typed, context)
    except Unreadable as unreadable:
        problems = (*problems, *unreadable.problems)
    if problems:
        return Draft(question, typed, typed=_storable(typed), problems=problems)
    return Draft(question, typed, value=value)


def _no_single_person(question: Question, typed: Any) -> tuple[AnswerProblem, ...]:
    """Return a problem for each person whose name looks like an organisation's or like several."""
    if question.kind is not QuestionKind.OWNERSHIP:
        return ()
    looks_like = _(
        "“%(word)s” in this name looks like an organisation. Choose below what it is. If it is a "
        "person, tick “This is a person’s name”."
    )
    several = _(
        "These look like several people. Add each of them on their own. If it is one person, tick "
        "“This is a person’s name”."
    )
    found: list[AnswerProblem] = []
    for number, name in ownership_answer.people(typed):
        at = f"{question.key}.{number}.name"
        if word := organisation_word(name):
            found.append(AnswerProblem(at, looks_like % {"word": word}, ORGANISATION))
        elif len(people_in(name)) > 1:
            found.append(AnswerProblem(at, several, ORGANISATION))
    return tuple(found)


def _storable(typed: Any) -> Any:
    """Return the input limited in size, and without what the database cannot or must not store."""
    match typed:
        case str():
            return text.keepable(typed.replace("\x00", ""))[:LONGEST_KEPT]
        case list():
            return [_storable(item) for item in typed[: question_kinds.MOST_STORED]]
        case dict():
            return {_storable(key): _storable(item) for key, item in typed.items()}
    return None
