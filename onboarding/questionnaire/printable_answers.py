"""Checks that documents can display the answers they quote."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from onboarding.questionnaire import document_facts, lettering
from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import Question, QuestionKind

TYPED = (QuestionKind.TEXT, QuestionKind.LONG_TEXT, QuestionKind.EMAIL, QuestionKind.ADDRESS)
# Only included in documents if they can display it.
LEFT_OUT = "li_native_name"
INVISIBLE = ("C", "Z", "M")
MOST_NAMED = 3


def is_stated(question: Question) -> bool:
    """Tell whether documents quote an answer as it was typed."""
    is_typed = question.kind in TYPED and question.key != LEFT_OUT
    return is_typed and question.key in document_facts.KEYS


def problems(question: Question, value: Any) -> Iterator[AnswerProblem]:
    """Yield the problems of an answer that a document quotes, part by part."""
    if not is_stated(question):
        return
    parts = value.items() if isinstance(value, dict) else [("", value)]
    for part, text in parts:
        if isinstance(text, str) and (found := lettering.unsettable(text)):
            path = f"{question.key}.{part}" if part else question.key
            yield AnswerProblem(path, _message(found), "unsettable")


def _message(found: str) -> str:
    named = ", ".join(_name(character) for character in found[:MOST_NAMED])
    more = _(" and others") if len(found) > MOST_NAMED else ""
    return _("Our documents cannot show %(named)s%(more)s. Use Latin letters.") % {
        "named": named,
        "more": more,
    }


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    hidden = unicodedata.category(character).startswith(INVISIBLE)
    return (
        code if hidden else _("“%(character)s” (%(code)s)") % {"character": character, "code": code}
    )
