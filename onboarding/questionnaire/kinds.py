"""Reading what was typed: one reader per kind of question, from text to a kept value."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from urllib.parse import urlsplit

import phonenumbers

from console.core.money import CURRENCIES, Money, NotMoney
from console.core.text import UnsafeText, clean
from onboarding.questionnaire.schema import Kind, Question, Value
from onboarding.reference import countries

# What a form sends: text, several texts, named parts, or rows of named parts.
Typed = str | list[str] | dict[str, str] | list[dict[str, str]]

ADDRESS_PARTS = ("line1", "line2", "city", "state", "postal_code", "country")
ADDRESS_NEEDED = {"line1": "first line", "city": "town or city", "country": "country"}
LONGEST = {Kind.TEXT: 300, Kind.LONG_TEXT: 4000}
MOST_ROWS = 100
_EMAIL = re.compile(r"[^@\s<>\"',;:()\[\]\\]{1,64}@(?:[\w-]{1,63}\.)+[^\W\d_]{2,63}")
_HOST = re.compile(r"(?:[\w-]{1,63}\.)+[^\W\d_][\w-]{1,62}")
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_PERCENT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,4})?", re.ASCII)


@dataclass(frozen=True)
class Problem:
    """What is wrong with an answer, where (`key`, `key.part`, `key.row.column`), what to do."""

    path: str
    message: str
    code: str = "invalid"

    @property
    def question(self) -> str:
        return self.path.partition(".")[0]


class Unreadable(ValueError):
    """What was typed is no answer to this question. `problems` say why, to the reader."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Context:
    """What a reader needs to know beside the question: the day, and the currency of the amounts."""

    today: date
    currency: str = ""


def read(question: Question, typed: Typed, context: Context) -> Value:
    """Return the value to keep, None when nothing was typed, or raise Unreadable."""
    try:
        return _reader(question.kind)(question, typed, context)
    except UnsafeText as unsafe:
        raise Unreadable(Problem(question.key, str(unsafe))) from unsafe


def _reader(kind: Kind) -> Callable[[Question, Typed, Context], Value]:
    return _STRUCTURED.get(kind, _one_text)


def _one_text(question: Question, typed: Typed, context: Context) -> Value:
    if not isinstance(typed, str):
        raise _fault(question, "Answer this question with one value.")
    text = clean(typed)
    if not text:
        return None
    return _FROM_TEXT[question.kind](question, text, context)


def _fault(question: Question, message: str, part: str = "") -> Unreadable:
    return Unreadable(Problem(f"{question.key}.{part}" if part else question.key, message))


def _words(question: Question, text: str, _: Context) -> Value:
    most = int(question.at_most or LONGEST[question.kind])
    if question.kind is Kind.TEXT and "\n" in text:
        raise _fault(question, "Use one line only.")
    if len(text) > most:
        raise _fault(question, f"Use {most} characters or fewer. You have used {len(text)}.")
    if len(text) < int(question.at_least or 0):
        raise _fault(
            question, f"Use at least {question.at_least} characters, so that we understand."
        )
    return text


def _choice(question: Question, text: str, _: Context) -> Value:
    if question.option(text) is None:
        raise _fault(question, "Choose one of the answers in the list.")
    return text


def _yes_no(question: Question, text: str, _: Context) -> Value:
    if text not in ("yes", "no"):
        raise _fault(question, "Choose yes or no.")
    return text == "yes"


def _attest(question: Question, text: str, _: Context) -> Value:
    if text != "yes":
        raise _fault(question, "Tick the box if you agree.")
    return True


def _country(question: Question, text: str, _: Context) -> Value:
    if not countries.exists(text):
        raise _fault(question, "Choose a country from the list.")
    return text


def _integer(question: Question, text: str, _: Context) -> Value:
    digits = re.sub(r"[ ,\u00a0\u202f]", "", text)
    if not _WHOLE.fullmatch(digits):
        raise _fault(question, "Enter a whole number, like 1200.")
    return _bounded(question, int(digits))


def _bounded(question: Question, number: int) -> int:
    if question.at_least is not None and number < int(question.at_least):
        raise _fault(question, f"Enter {question.at_least} or more.")
    if question.at_most is not None and number > int(question.at_most):
        raise _fault(question, f"Enter {question.at_most} or less.")
    return number


def _percent(question: Question, text: str, _: Context) -> Value:
    digits = text.removesuffix("%").strip()
    if not _PERCENT.fullmatch(digits):
        raise _fault(question, "Enter a percentage in digits, like 12.5.")
    number = Decimal(digits)
    if not Decimal(question.at_least or 0) <= number <= Decimal(question.at_most or 100):
        raise _fault(
            question, f"Enter between {question.at_least or 0} and {question.at_most or 100}."
        )
    return plain(number)


def plain(number: Decimal) -> str:
    """Write a decimal without exponent or needless zeros: `12.5`, `100`, `0`."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _money(question: Question, text: str, context: Context) -> Value:
    if context.currency not in CURRENCIES:
        raise _fault(question, "Choose the currency first.")
    try:
        money = Money.parse(re.sub(r"[ ,\u00a0\u202f]", "", text), context.currency)
    except NotMoney as fault:
        raise _fault(question, str(fault)) from fault
    if question.at_least is not None and money.minor < int(question.at_least):
        raise _fault(question, "Enter more than zero.")
    return {"minor": money.minor, "currency": money.currency}


def _date(question: Question, text: str, context: Context) -> Value:
    try:
        day = date.fromisoformat(text)
    except ValueError as fault:
        raise _fault(question, "Enter a real date, like 2019-03-27.") from fault
    if question.at_most is not None and day > _day(question.at_most, context):
        raise _fault(question, "Enter a date that is not in the future.")
    if question.at_least is not None and day < _day(question.at_least, context):
        raise _fault(question, f"Enter a date from {_day(question.at_least, context)} on.")
    return day.isoformat()


def _day(bound: int | str, context: Context) -> date:
    return context.today if bound == "today" else date.fromisoformat(str(bound))


def _email(question: Question, text: str, _: Context) -> Value:
    if len(text) > 254 or not _EMAIL.fullmatch(text):
        raise _fault(question, "Enter an e-mail address, like name@example.com.")
    return text


def _phone(question: Question, text: str, _: Context) -> Value:
    try:
        number = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException as fault:
        raise _fault(
            question, "Start with + and the country code, like +44 20 7946 0018."
        ) from fault
    if not phonenumbers.is_possible_number(number):
        raise _fault(question, "Check the number: it has too few or too many digits.")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _url(question: Question, text: str, _: Context) -> Value:
    message = "Enter a web address, like https://example.com."
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, _port = parts.hostname or "", parts.port
    except ValueError as fault:
        raise _fault(question, message) from fault
    if parts.scheme not in ("http", "https") or parts.username or not _HOST.fullmatch(host):
        raise _fault(question, message)
    if len(text) > 500 or re.search(r"\s", text):
        raise _fault(question, message)
    return parts.geturl()


def _several(question: Question, typed: Typed, _: Context) -> Value:
    chosen = _texts(question, typed)
    if any(question.option(key) is None for key in chosen):
        raise _fault(question, "Choose from the answers in the list.")
    if "none" in chosen and len(chosen) > 1:
        raise _fault(question, "Choose either the last answer or the others, not both.")
    return [option.key for option in question.options if option.key in chosen] or None


def _countries(question: Question, typed: Typed, context: Context) -> Value:
    chosen = list(dict.fromkeys(_texts(question, typed)))
    problems = [
        Problem(f"{question.key}.{number}", "Choose a country from the list.")
        for number, code in enumerate(chosen)
        if not countries.exists(code)
    ]
    if problems:
        raise Unreadable(*problems)
    if len(chosen) > int(question.at_most or MOST_ROWS):
        raise _fault(question, f"Name {question.at_most or MOST_ROWS} countries or fewer.")
    return list[Value](chosen) or None


def _texts(question: Question, typed: Typed) -> list[str]:
    given = [typed] if isinstance(typed, str) else typed
    if not isinstance(given, list):
        raise _fault(question, "Choose from the answers in the list.")
    texts = [text for text in given if isinstance(text, str)]
    return [cleaned for text in texts if (cleaned := clean(text))]


def _address(question: Question, typed: Typed, _: Context) -> Value:
    if not isinstance(typed, dict):
        raise _fault(question, "Enter the parts of the address.")
    parts = {part: clean(str(typed.get(part, ""))) for part in ADDRESS_PARTS}
    if not any(parts.values()):
        return None
    problems = [
        Problem(f"{question.key}.{part}", f"Enter the {words}.")
        for part, words in ADDRESS_NEEDED.items()
        if not parts[part]
    ]
    problems += [
        Problem(f"{question.key}.{part}", "Use one line of 200 characters or fewer.")
        for part, text in parts.items()
        if len(text) > 200 or "\n" in text
    ]
    if parts["country"] and not countries.exists(parts["country"]):
        problems.append(Problem(f"{question.key}.country", "Choose a country from the list."))
    if problems:
        raise Unreadable(*problems)
    return {part: text for part, text in parts.items() if text}


def _rows(question: Question, typed: Typed, context: Context) -> Value:
    if not isinstance(typed, list):
        raise _fault(question, "Fill in the rows.")
    rows, problems = list[Value](), list[Problem]()
    for number, cells in enumerate(typed):
        if not isinstance(cells, dict) or not any(str(cell).strip() for cell in cells.values()):
            continue
        row, faults = _row(question, number, cells, context)
        rows.append(row)
        problems += faults
    if len(rows) > int(question.at_most or MOST_ROWS):
        problems.append(Problem(question.key, f"Use {question.at_most} rows or fewer."))
    if problems:
        raise Unreadable(*problems)
    return rows or None


def _row(
    question: Question, number: int, cells: dict[str, str], context: Context
) -> tuple[dict[str, Value], list[Problem]]:
    row, problems = dict[str, Value](), list[Problem]()
    for column in question.columns:
        path = f"{question.key}.{number}.{column.key}"
        try:
            value = read(column, cells.get(column.key, ""), context)
        except Unreadable as unreadable:
            problems += [Problem(path, fault.message) for fault in unreadable.problems]
            continue
        if value is not None:
            row[column.key] = value
        elif column.required:
            problems.append(
                Problem(path, f"Row {number + 1}: fill in “{column.label}”.", "missing")
            )
    return row, problems


_FROM_TEXT: dict[Kind, Callable[[Question, str, Context], Value]] = {
    Kind.TEXT: _words,
    Kind.LONG_TEXT: _words,
    Kind.CHOICE: _choice,
    Kind.YES_NO: _yes_no,
    Kind.ATTEST: _attest,
    Kind.COUNTRY: _country,
    Kind.INTEGER: _integer,
    Kind.PERCENT: _percent,
    Kind.MONEY: _money,
    Kind.DATE: _date,
    Kind.EMAIL: _email,
    Kind.PHONE: _phone,
    Kind.URL: _url,
}
_STRUCTURED: dict[Kind, Callable[[Question, Typed, Context], Value]] = {
    Kind.MULTI: _several,
    Kind.COUNTRIES: _countries,
    Kind.ADDRESS: _address,
    Kind.ROWS: _rows,
}
