"""Answers that our documents state, and the characters of them that our documents cannot set.

What the documents can set is known further right, where they are rendered: it is registered here.
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from onboarding.questionnaire.problems import AnswerProblem
from onboarding.questionnaire.schema import Question

# The questions whose words `onboarding.application_facts` hands on as they were typed.
KEYS = frozenset(
    {"li_legal_name", "li_trading_name", "li_legal_form", "li_register", "li_registration_number"}
    | {"li_registered_address", "li_contact_name", "li_contact_title", "li_contact_email"}
    | {"ow_signatory_name", "ow_signatory_title", "ow_signatory_email", "dh_privacy_email"}
    | {"lc_regulator", "lc_licence_kind", "lc_licence_number"}
)
INVISIBLE = ("C", "Z", "M")
MOST_NAMED = 3

StatedCheck = Callable[[str], str]
_checks: list[StatedCheck] = []


def register(check: StatedCheck) -> None:
    """Add what returns the characters of a text that documents cannot set. From ready() only."""
    _checks.append(check)


def unsettable(text: str) -> str:
    """Return the characters of a text that the documents cannot set, in order."""
    return "".join(dict.fromkeys("".join(check(text) for check in _checks)))


def problems(question: Question, value: Any) -> Iterator[AnswerProblem]:
    """Yield what is wrong with an answer that a document states, part by part."""
    if question.key not in KEYS:
        return
    parts = value.items() if isinstance(value, dict) else [("", value)]
    for part, text in parts:
        if isinstance(text, str) and (found := unsettable(text)):
            path = f"{question.key}.{part}" if part else question.key
            yield AnswerProblem(path, _message(found), "unsettable")


def _message(found: str) -> str:
    named = ", ".join(_name(character) for character in found[:MOST_NAMED])
    more = " and others" if len(found) > MOST_NAMED else ""
    return f"Our documents cannot show {named}{more}. Write this in Latin letters."


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    hidden = unicodedata.category(character).startswith(INVISIBLE)
    return code if hidden else f"“{character}” ({code})"
