"""A company's entry in its register, from the answers about country, register and number.

People write the court or the town with the number or with the register. The answers stay as they
were typed. A submission states each part once, as the register writes it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import Answers, Question
from onboarding.reference import german_courts, register_numbers

COUNTRY, REGISTER, NUMBER = "li_country_incorporation", "li_register", "li_registration_number"
_FRENCH_TOWN = re.compile(
    r"\bR\.?\s?C\.?\s?S\b\.?\s+(?P<town>[^\W\d_][^\d,]*?)(?:\s+[A-D])?\s*(?=\d|,|$)", re.IGNORECASE
)
_FRENCH_REGISTER = re.compile(
    r"(?:the )?(?:registre du commerce(?: et des soci[ée]t[ée]s)?|r\.?\s?c\.?\s?s\.?|greffe)",
    re.IGNORECASE,
)


def as_registered(answers: Answers) -> dict[str, str]:
    """Return the register and the number as the register writes them, or {} if one is wrong."""
    country, register, number = _stated(answers)
    if not (country and register and number) or any(problems(answers)):
        return {}
    return {
        REGISTER: _register(country, register, number),
        NUMBER: register_numbers.canonical(country, number),
    }


def problems(answers: Answers) -> Iterator[AnswerProblem]:
    """Yield what is wrong with the number in its country, and with the register beside it."""
    country, register, number = _stated(answers)
    if not (country and number):
        return
    written = register_numbers.canonical(country, number)
    if not written:
        yield AnswerProblem(NUMBER, objection(country), "format")
    elif country == "DE" and not register_numbers.is_lei(written):
        own, kept = _courts(register, number)
        if own and kept and own != kept:
            words = _("The number names %(own)s, the register %(kept)s. Name one court.")
            yield AnswerProblem(NUMBER, words % {"own": own, "kept": kept}, "format")
        elif register and not (own or kept):
            words = _("Name the court that keeps the register, for example Amtsgericht München.")
            yield AnswerProblem(REGISTER, words, "format")


def worded(question: Question, answers: Answers) -> Question:
    """Return a question with the words of the country: the number's local name and an example."""
    country = _stated(answers)[0]
    kind = register_numbers.KINDS.get(country)
    if question.key == REGISTER and country == "DE":
        return replace(question, help=_("The court, for example Amtsgericht München"))
    if question.key != NUMBER or kind is None:
        return question
    words = _("%(name)s, for example %(example)s") % {"name": kind.name, "example": kind.example}
    return replace(question, help=f"{words[0].upper()}{words[1:]}. {in_documents(answers)}".strip())


def in_documents(answers: Answers) -> str:
    """Say how documents state the entry, if that differs from what was typed."""
    entry = as_registered(answers)
    if not entry or (entry[REGISTER], entry[NUMBER]) == _stated(answers)[1:]:
        return ""
    return _("Our documents say: %(number)s, %(register)s.") % {
        "number": entry[NUMBER],
        "register": entry[REGISTER],
    }


def _stated(answers: Answers) -> tuple[str, str, str]:
    country, register, number = (answers.get(key) or "" for key in (COUNTRY, REGISTER, NUMBER))
    return str(country), str(register), str(number)


def _register(country: str, register: str, number: str) -> str:
    if country == "DE":
        own, kept = _courts(register, number)
        return kept or own or register
    if country == "FR" and _FRENCH_REGISTER.fullmatch(register.strip()):
        found = _FRENCH_TOWN.search(number)
        return f"RCS {found['town'].strip()}" if found else register
    rest = register.replace(number, "").strip(" ,;:-()")
    return rest or register


def _courts(register: str, number: str) -> tuple[str, str]:
    """Return the courts that the number and the register name, or "" for none."""
    beside, _number = german_courts.split(number)
    around, also_number = german_courts.split(register)
    return german_courts.court(beside), german_courts.court(around if also_number else register)


def objection(country: str) -> str:
    """Say what a number of this country looks like."""
    if (kind := register_numbers.KINDS.get(country)) is None:
        return _("Use letters and digits, with signs like / or - between them.")
    words = _("Check the number. A %(name)s looks like this: %(example)s.")
    return words % {"name": kind.name, "example": kind.example}
