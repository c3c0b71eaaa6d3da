"""Answers as readable text, by kind of question."""

from collections.abc import Callable
from datetime import date
from typing import Any

from console.core.money import Money
from onboarding.questionnaire import ownership_answer
from onboarding.questionnaire.edition_schema import Question, QuestionKind
from onboarding.questionnaire.question_kinds import ADDRESS_PARTS
from onboarding.reference import countries


def lines(question: Question, value: Any) -> list[str]:
    """Return an answer as lines of text, or an empty list if there is none."""
    if value is None:
        return []
    show = _BY_KIND.get(question.kind, _as_it_is)
    return show(question, value)


def cells(question: Question, value: Any) -> list[list[str]]:
    """Return the rows of a table as text, one cell for each column."""
    return [
        [", ".join(lines(column, row.get(column.key))) for column in question.columns]
        for row in value or ()
    ]


def _as_it_is(_: Question, value: Any) -> list[str]:
    return str(value).split("\n")


def _yes_no(_: Question, value: Any) -> list[str]:
    return ["Yes" if value else "No"]


def _choice(question: Question, value: Any) -> list[str]:
    keys = value if isinstance(value, list) else [value]
    options = [(key, question.option(str(key))) for key in keys]
    return [option.label if option else str(key) for key, option in options]


def _countries(_: Question, value: Any) -> list[str]:
    codes = value if isinstance(value, list) else [value]
    return [countries.name(code) for code in codes]


def _money(_: Question, value: Any) -> list[str]:
    amount = Money(value["minor"], value["currency"])
    return [f"{amount.currency} {amount.grouped()}"]


def _address(_: Question, value: Any) -> list[str]:
    named = {**value, "country": countries.name(value.get("country", ""))}
    return [named[part] for part in ADDRESS_PARTS if named.get(part)]


def _rows(question: Question, value: Any) -> list[str]:
    return [", ".join(cell for cell in row if cell) for row in cells(question, value)]


_BY_KIND: dict[QuestionKind, Callable[[Question, Any], list[str]]] = {
    QuestionKind.YES_NO: _yes_no,
    QuestionKind.ATTEST: _yes_no,
    QuestionKind.CHOICE: _choice,
    QuestionKind.MULTI: _choice,
    QuestionKind.COUNTRY: _countries,
    QuestionKind.COUNTRIES: _countries,
    QuestionKind.MONEY: _money,
    QuestionKind.DATE: lambda _, value: [f"{date.fromisoformat(value):%-d %b %Y}"],
    QuestionKind.INTEGER: lambda _, value: [f"{value:,}"],
    QuestionKind.PERCENT: lambda _, value: [f"{value} %"],
    QuestionKind.ADDRESS: _address,
    QuestionKind.ROWS: _rows,
    QuestionKind.OWNERSHIP: lambda _, value: ownership_answer.lines(value),
}
