"""Answers that stand in our e-mails to others: what speaks against one, typed anew or kept before.

Whoever is named perhaps never heard of the business, and a mail program makes links of what it can.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from console.accounts import mailboxes
from console.core.links import holds_web_address
from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import Question, QuestionKind

NAMES = frozenset({"ow_signatory_name"})


def objection(question: Question, text: str) -> str:
    """Say what speaks against a text as the answer to a question; nothing where it will do."""
    if question.key in NAMES and holds_web_address(text):
        return _("Remove the web address. We show this name in e-mails.")
    if question.kind is QuestionKind.EMAIL and (words := mailboxes.objection(text)):
        return f"{words}."
    return ""


def problems(question: Question, value: Any) -> Iterator[AnswerProblem]:
    """Yield what is wrong with an answer that was kept when nobody objected to it."""
    if isinstance(value, str) and (words := objection(question, value)):
        yield AnswerProblem(question.key, words, "mailed")
