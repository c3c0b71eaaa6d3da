"""Checks of answers that appear in our e-mails to others.

Recipients may never have heard of the business, and e-mail programs turn web addresses into links.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from console.accounts import mailboxes
from console.core.links import holds_web_address
from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import Question, QuestionKind

NAMES = frozenset({"ow_signatory_name", "cosignatory_name"})


def objection(question: Question, text: str) -> str:
    """Return why a text is not accepted as the answer to a question, or ""."""
    if question.key in NAMES and holds_web_address(text):
        return _("Remove the web address. We show this name in e-mails.")
    if question.kind is QuestionKind.EMAIL and (words := mailboxes.objection(text)):
        return f"{words}."
    return ""


def problems(question: Question, value: Any) -> Iterator[AnswerProblem]:
    """Yield the problems of a stored answer, which may be older than the check."""
    if isinstance(value, str) and (words := objection(question, value)):
        yield AnswerProblem(question.key, words, "mailed")
