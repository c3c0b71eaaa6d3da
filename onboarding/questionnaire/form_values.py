"""Stored values as form input, and whether a submitted form is unchanged."""

from collections.abc import Callable
from datetime import date
from typing import Any

from console.core.money import Money
from onboarding.questionnaire import ownership_answer
from onboarding.questionnaire.answer_problems import Typed
from onboarding.questionnaire.edition_schema import Question, QuestionKind
from onboarding.reference import countries


def shown(question: Question, value: Any) -> Typed:
    """Return a stored value as a user would type it."""
    match question.kind, value:
        case ((QuestionKind.MULTI | QuestionKind.COUNTRIES), _):
            return list(value or [])
        case QuestionKind.ADDRESS, _:
            return dict(value or {})
        case QuestionKind.ROWS, _:
            return [
                {c.key: str(shown(c, row.get(c.key))) for c in question.columns}
                for row in value or []
            ]
        case QuestionKind.OWNERSHIP, _:
            return ownership_answer.shown(value)
        case _, bool(answer):
            return "yes" if answer else "no"
        case QuestionKind.MONEY, {"minor": int(minor), "currency": str(currency)}:
            return Money(minor, currency).decimal()
    return "" if value is None else str(value)


def is_untouched(question: Question, sent: Any, before: Any) -> bool:
    """Tell whether a form sent back what it had shown.

    Browsers do not show empty rows, unknown options or invalid dates, and single-line fields have
    no line endings.
    """
    return bool(_plain(question, sent) == _plain(question, _displayed(question, before)))


def _plain(question: Question, typed: Any) -> Any:
    match question.kind, typed:
        case ((QuestionKind.MULTI | QuestionKind.COUNTRIES), list(keys)):
            return list(filter(None, map(_one_line, keys)))
        case QuestionKind.ADDRESS, dict(parts):
            return {part: line for part, text in parts.items() if (line := _one_line(text))}
        case QuestionKind.ROWS, list(rows):
            cells = [
                {c.key: _one_line(row.get(c.key, "")) for c in question.columns} for row in rows
            ]
            return [row for row in cells if any(row.values())]
        case QuestionKind.OWNERSHIP, list(rows):
            return ownership_answer.plain(rows, _one_line)
        case QuestionKind.LONG_TEXT, str(text):
            return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n").strip()
    return _one_line(typed) if isinstance(typed, str) else typed


def _one_line(text: Any) -> str:
    return "".join(c for c in str(text) if c not in "\r\n\x00").strip()


def _displayed(question: Question, typed: Any) -> Any:
    show = _DISPLAYED.get(question.kind)
    return show(question, typed) if show else typed


def _country(_: Question, code: Any) -> str:
    return code if isinstance(code, str) and countries.exists(code) else ""


def _date(_: Question, text: Any) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _address(question: Question, parts: Any) -> dict[str, str]:
    return {**parts, "country": _country(question, parts.get("country"))} if parts else {}


def _ownership(_: Question, rows: Any) -> Any:
    return ownership_answer.displayed(rows, _displayed)


def _rows(question: Question, rows: Any) -> list[dict[str, Any]]:
    return [{c.key: _displayed(c, row.get(c.key, "")) for c in question.columns} for row in rows]


_DISPLAYED: dict[QuestionKind, Callable[[Question, Any], Any]] = {
    QuestionKind.MULTI: lambda question, keys: [o.key for o in question.options if o.key in keys],
    QuestionKind.CHOICE: lambda question, key: key if question.option(key) else "",
    QuestionKind.YES_NO: lambda _, text: text if text in ("yes", "no") else "",
    QuestionKind.COUNTRY: _country,
    QuestionKind.COUNTRIES: lambda question, codes: [c for c in codes if _country(question, c)],
    QuestionKind.DATE: _date,
    QuestionKind.ADDRESS: _address,
    QuestionKind.ROWS: _rows,
    QuestionKind.OWNERSHIP: _ownership,
}
