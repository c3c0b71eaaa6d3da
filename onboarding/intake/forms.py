"""Parsing of submitted section forms, and the declaration form."""

import re

from django import forms
from django.http import QueryDict

from console.shell.forms import SeenForm
from onboarding.intake.merging import OpenPage
from onboarding.questionnaire import ownership_answer
from onboarding.questionnaire.answer_problems import Typed
from onboarding.questionnaire.edition_schema import Question, QuestionKind, Section
from onboarding.questionnaire.question_kinds import ADDRESS_PARTS, MOST_ROWS

# The questions that a page showed, because unticked boxes are not sent.
ASKED = "asked"
_PARTY = r"{}\.([0-9]{{1,3}})\.([a-z0-9_.]{{1,40}})"
_PAGE_NAME = re.compile("[0-9a-f]{1,32}")


def typed_in(section: Section, sent: QueryDict) -> dict[str, Typed]:
    """Return what was entered for the questions that the page showed, by question."""
    asked = set(sent.getlist(ASKED))
    return {q.key: _typed(q, sent) for q in section.questions if q.key in asked}


def shown_in(sent: QueryDict) -> frozenset[str]:
    """Return the questions that the page showed. Autosave sends a part of them, and lists all."""
    return frozenset(sent.getlist("shown") or sent.getlist(ASKED))


def page_in(sent: QueryDict) -> OpenPage:
    """Return the page that a form was sent from. Invalid numbers become 0."""
    name = sent.get("page", "")
    known = name if _PAGE_NAME.fullmatch(name) else ""
    return OpenPage(_number(sent, "revision"), known, _number(sent, "sequence"))


def _number(sent: QueryDict, name: str) -> int:
    text = sent.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _typed(question: Question, sent: QueryDict) -> Typed:
    match question.kind:
        case QuestionKind.MULTI | QuestionKind.COUNTRIES:
            return sent.getlist(question.key)[: MOST_ROWS + 1]
        case QuestionKind.ADDRESS:
            return {part: sent.get(f"{question.key}.{part}", "") for part in ADDRESS_PARTS}
        case QuestionKind.ROWS:
            return _rows(question, sent)
        case QuestionKind.OWNERSHIP:
            return _parties(question, sent)
    return sent.get(question.key, "")


def _rows(question: Question, sent: QueryDict) -> list[dict[str, str]]:
    pattern = re.compile(rf"{re.escape(question.key)}\.([0-9]{{1,3}})\.", re.ASCII)
    numbers = {int(found[1]) for name in sent if (found := pattern.match(name))}
    return [
        {
            column.key: sent.get(f"{question.key}.{number}.{column.key}", "")
            for column in question.columns
        }
        for number in sorted(numbers)[: MOST_ROWS + 1]
    ]


def _parties(question: Question, sent: QueryDict) -> list[dict[str, str]]:
    pattern = re.compile(_PARTY.format(re.escape(question.key)), re.ASCII)
    found: dict[int, dict[str, str]] = {}
    for name in sent:
        if part := pattern.fullmatch(name):
            found.setdefault(int(part[1]), {})[part[2]] = str(sent[name])
    rows = [cells for _number, cells in sorted(found.items())]
    return rows[: ownership_answer.MOST_PARTIES + 1]


class DeclareForm(SeenForm):
    """The declaration that all answers are true. `seen` is `Application.saves`."""

    declared = forms.BooleanField(required=False)
