"""Parsing of form input, by kind of question."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.core.text import UnsafeText, clean, without_hidden
from onboarding.questionnaire import ownership_answer, text_parsers
from onboarding.questionnaire.answer_problems import (
    AnswerProblem,
    Context,
    Typed,
    Unreadable,
    fault,
)
from onboarding.questionnaire.edition_schema import Question, QuestionKind, Value
from onboarding.reference import countries, towns

ADDRESS_PARTS = ("line1", "line2", "city", "state", "postal_code", "country")
ADDRESS_NEEDED = {
    "line1": gettext_noop("first line"),
    "country": "country",
}
MOST_ROWS = 100
# Rows of any kind of question.
MOST_STORED = max(MOST_ROWS, ownership_answer.MOST_PARTIES)
# Stored in our own format, so hidden characters in the input do not matter.
REWRITTEN = (
    *(QuestionKind.DATE, QuestionKind.INTEGER, QuestionKind.MONEY),
    *(QuestionKind.PERCENT, QuestionKind.PHONE),
)


def read(question: Question, typed: Typed, context: Context) -> Value:
    """Return the parsed value, or None for empty input; raise Unreadable if it is invalid."""
    reader = _STRUCTURED.get(question.kind, _one_text)
    try:
        return reader(question, typed, context)
    except UnsafeText as unsafe:
        raise Unreadable(AnswerProblem(question.key, str(unsafe))) from unsafe


def _one_text(question: Question, typed: Typed, context: Context) -> Value:
    if not isinstance(typed, str):
        raise fault(question, _("Answer this question with one value."))
    text = clean(without_hidden(typed) if question.kind in REWRITTEN else typed)
    if not text:
        return None
    return text_parsers.READERS[question.kind](question, text, context)


def _several(question: Question, typed: Typed, _context: Context) -> Value:
    chosen = _texts(question, typed)
    if any(question.option(key) is None for key in chosen):
        raise fault(question, _("Choose from the answers in the list."))
    if "none" in chosen and len(chosen) > 1:
        raise fault(question, _("Choose either the last answer or the others, not both."))
    return [option.key for option in question.options if option.key in chosen] or None


def _countries(question: Question, typed: Typed, context: Context) -> Value:
    chosen = list(dict.fromkeys(_texts(question, typed)))
    problems = [
        AnswerProblem(f"{question.key}.{number}", _("Choose a country from the list."))
        for number, code in enumerate(chosen)
        if not countries.exists(code)
    ]
    if problems:
        raise Unreadable(*problems)
    if len(chosen) > (most := int(question.at_most or MOST_ROWS)):
        raise fault(question, _("Choose %(most)s countries or fewer."), most=most)
    return list[Value](chosen) or None


def _texts(question: Question, typed: Typed) -> list[str]:
    given = [typed] if isinstance(typed, str) else typed
    if not isinstance(given, list):
        raise fault(question, _("Choose from the answers in the list."))
    texts = [text for text in given if isinstance(text, str)]
    return [cleaned for text in texts if (cleaned := clean(text))]


def _address(question: Question, typed: Typed, _context: Context) -> Value:
    if not isinstance(typed, dict):
        raise fault(question, _("Enter the parts of the address."))
    parts = {p: clean(str(typed.get(p, ""))).replace("\t", " ") for p in ADDRESS_PARTS}
    if not any(parts.values()):
        return None
    problems = [
        AnswerProblem(f"{question.key}.{part}", _("Enter the %(words)s.") % {"words": _(words)})
        for part, words in ADDRESS_NEEDED.items()
        if not parts[part]
    ]
    if not towns.is_complete(parts["country"], parts["city"], parts["state"]):
        emirate = parts["country"] in towns.REGION_INSTEAD
        part, words = ("state", _("emirate")) if emirate else ("city", _("town or city"))
        said = _("Enter the %(words)s.") % {"words": words}
        problems.append(AnswerProblem(f"{question.key}.{part}", said))
    problems += [
        AnswerProblem(f"{question.key}.{part}", _("Use one line of 200 characters or fewer."))
        for part, text in parts.items()
        if len(text) > 200 or "\n" in text
    ]
    if parts["country"] and not countries.exists(parts["country"]):
        problems.append(
            AnswerProblem(f"{question.key}.country", _("Choose a country from the list."))
        )
    if problems:
        order = [f"{question.key}.{part}" for part in ADDRESS_PARTS]
        raise Unreadable(*sorted(problems, key=lambda one: order.index(one.path)))
    return {part: text for part, text in parts.items() if text}


def _ownership(question: Question, typed: Typed, context: Context) -> Value:
    return ownership_answer.read(question, typed, context, _row)


def _rows(question: Question, typed: Typed, context: Context) -> Value:
    if not isinstance(typed, list):
        raise fault(question, _("Fill in the rows."))
    rows, problems = list[Value](), list[AnswerProblem]()
    for number, cells in enumerate(typed):
        if not isinstance(cells, dict) or not any(str(cell).strip() for cell in cells.values()):
            continue
        row, faults = _row(question, number, cells, context)
        rows.append(row)
        problems += faults
    if len(rows) > int(question.at_most or MOST_ROWS):
        problems.append(
            AnswerProblem(
                question.key, _("Use %(at_most)s rows or fewer.") % {"at_most": question.at_most}
            )
        )
    if problems:
        raise Unreadable(*problems)
    return rows or None


def _row(
    question: Question, number: int, cells: dict[str, str], context: Context
) -> tuple[dict[str, Value], list[AnswerProblem]]:
    row, problems = dict[str, Value](), list[AnswerProblem]()
    for column in question.columns:
        path = f"{question.key}.{number}.{column.key}"
        try:
            value = read(column, cells.get(column.key, ""), context)
        except Unreadable as unreadable:
            problems += [AnswerProblem(path, fault.message) for fault in unreadable.problems]
            continue
        if value is not None:
            row[column.key] = value
        elif column.required:
            problems.append(
                AnswerProblem(
                    path,
                    _("Row %(number)s: fill in “%(column)s”.")
                    % {"number": number + 1, "column": column.label},
                    "missing",
                )
            )
    return row, problems


_STRUCTURED: dict[QuestionKind, Callable[[Question, Typed, Context], Value]] = {
    QuestionKind.MULTI: _several,
    QuestionKind.COUNTRIES: _countries,
    QuestionKind.ADDRESS: _address,
    QuestionKind.ROWS: _rows,
    QuestionKind.OWNERSHIP: _ownership,
}
