"""Differences between the answers of two submissions of a case."""

from dataclasses import dataclass

from onboarding.intake import answers
from onboarding.intake.answer_set import AnswerSet
from onboarding.models import Submission
from onboarding.questionnaire import showing


@dataclass(frozen=True)
class AnswerChange:
    """One question with different answers. `before` or `after` is empty if there was no answer."""

    section: str
    label: str
    before: list[str]
    after: list[str]


def changes(earlier: Submission, later: Submission) -> list[AnswerChange]:
    """Return the differences in the later questionnaire's order, removed questions last."""
    was, now = answers.frozen(earlier), answers.frozen(later)
    found: dict[str, AnswerChange] = {}
    for given in (now, was):
        for section in given.edition.sections:
            for question in section.questions:
                before, after = _lines(was, question.key), _lines(now, question.key)
                if before != after:
                    change = AnswerChange(section.title, question.label, before, after)
                    found.setdefault(question.key, change)
    return list(found.values())


def _lines(given: AnswerSet, key: str) -> list[str]:
    question = given.edition.by_key.get(key)
    return showing.lines(question, given.values.get(key)) if question else []
