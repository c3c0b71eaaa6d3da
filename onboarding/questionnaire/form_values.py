"""A kept value as a form shows it, and whether a form sends back just what it had shown."""

from datetime import date
from typing import Any

from console.core.money import Money
from onboarding.questionnaire.problems import Typed
from onboarding.questionnaire.schema import Kind, Question
from onboarding.reference import countries


def shown(question: Question, value: Any) -> Typed:
    """Return a kept value as somebody would type it."""
    match question.kind, value:
        case ((Kind.MULTI | Kind.COUNTRIES), _):
            return list(value or [])
        case Kind.ADDRESS, _:
            return dict(value or {})
        case Kind.ROWS, _:
            return [
                {c.key: str(shown(c, row.get(c.key))) for c in question.columns}
                for row in value or []
            ]
        case _, None:
            return ""
        case _, bool(answer):
            return "yes" if answer else "no"
        case Kind.MONEY, {"minor": int(minor), "currency": str(currency)}:
            return Money(minor, currency).decimal()
    return str(value)


def is_untouched(question: Question, sent: Any, before: Any) -> bool:
    """Tell whether a form sent back what it had shown.

    A browser shows no row without text, no choice that is not in its list and no date that is
    none, and a field of one line has no line ends.
    """
    return bool(_plain(question, sent) == _plain(question, _displayed(question, before)))


def _plain(question: Question, typed: Any) -> Any:
    match question.kind, typed:
        case ((Kind.MULTI | Kind.COUNTRIES), list(keys)):
            return list(filter(None, map(_one_line, keys)))
        case Kind.ADDRESS, dict(parts):
            return {part: line for part, text in parts.items() if (line := _one_line(text))}
        case Kind.ROWS, list(rows):
            cells = ({c.key: _one_line(row.get(c.key, "")) for c in question.columns} for row in rows)
            return [row for row in cells if any(row.values())]
        case Kind.LONG_TEXT, str(text):
            return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n").strip()
    return _one_line(typed) if isinstance(typed, str) else typed


def _displayed(question: Question, typed: Any) -> Any:
    match question.kind, typed:
        case Kind.MULTI, list(keys):
            return [option.key for option in question.options if option.key in keys]
        case Kind.COUNTRIES, list(codes):
            return [code for code in codes if _country(code)]
        case Kind.ADDRESS, dict(parts):
            return parts | {"country": _country(parts.get("country"))}
        case Kind.ROWS, list(rows):
            return [{c.key: _displayed(c, row.get(c.key, "")) for c in question.columns} for row in rows]
        case Kind.CHOICE, str(key):
            return key if question.option(key) else ""
        case Kind.YES_NO, str(text):
            return text if text in ("yes", "no") else ""
        case Kind.COUNTRY, str(code):
            return _country(code)
        case Kind.DATE, str(text):
            return _date(text)
        case ((Kind.MULTI | Kind.COUNTRIES | Kind.ROWS), _):
            return []
        case Kind.ADDRESS, _:
            return {}
    return typed if isinstance(typed, str) else ""


def _one_line(text: Any) -> str:
    return "".join(c for c in str(text) if c not in "\r\n\x00").strip()


def _country(code: Any) -> str:
    return code if isinstance(code, str) and countries.exists(code) else ""


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""
