"""Reading one text: from what was typed into one field to a kept value."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import phonenumbers

from console.core.money import CURRENCIES, Money, NotMoney
from onboarding.questionnaire import formats, mailed
from onboarding.questionnaire.problems import Context, fault
from onboarding.questionnaire.schema import Question, QuestionKind, Value
from onboarding.reference import countries

PLACES = 4
LONGEST = {QuestionKind.TEXT: 300, QuestionKind.LONG_TEXT: 4000}


def _words(question: Question, text: str, _: Context) -> Value:
    most = int(question.at_most or LONGEST[question.kind])
    if question.kind is QuestionKind.TEXT and "\n" in text:
        raise fault(question, "Use one line only.")
    if len(text) > most:
        raise fault(question, f"Use {most} characters or fewer. You have used {len(text)}.")
    if len(text) < int(question.at_least or 0):
        least = question.at_least
        raise fault(question, f"Use at least {least} characters, so that we understand.")
    if words := mailed.objection(question, text):
        raise fault(question, words)
    return text


def _choice(question: Question, text: str, _: Context) -> Value:
    if question.option(text) is None:
        raise fault(question, "Choose one of the answers in the list.")
    return text


def _yes_no(question: Question, text: str, _: Context) -> Value:
    if text not in ("yes", "no"):
        raise fault(question, "Choose yes or no.")
    return text == "yes"


def _attest(question: Question, text: str, _: Context) -> Value:
    if text != "yes":
        raise fault(question, "Tick the box if you agree.")
    return True


def _country(question: Question, text: str, _: Context) -> Value:
    if not countries.exists(text):
        raise fault(question, "Choose a country from the list.")
    return text


def _integer(question: Question, text: str, _: Context) -> Value:
    number = formats.whole(text)
    if number is None:
        raise fault(question, "Enter a whole number, like 1200.")
    if question.at_least is not None and number < int(question.at_least):
        raise fault(question, f"Enter a number of {question.at_least} or more.")
    if question.at_most is not None and number > int(question.at_most):
        raise fault(question, f"Enter a number of {question.at_most} or less.")
    return number


def _percent(question: Question, text: str, _: Context) -> Value:
    number = formats.percentage(text)
    least, most = question.at_least or 0, question.at_most or 100
    if number is None:
        raise fault(question, "Enter a percentage in digits, like 12.5.")
    if -int(number.as_tuple().exponent) > PLACES:
        raise fault(question, f"Use at most {PLACES} decimal places, like 33.3333.")
    if not Decimal(least) <= number <= Decimal(most):
        raise fault(question, f"Enter a number between {least} and {most}.")
    return formats.plain(number)


def _money(question: Question, text: str, context: Context) -> Value:
    if context.currency not in CURRENCIES:
        raise fault(question, "Choose the currency first.")
    digits = formats.ungrouped(text)
    if formats.is_ambiguous(text) and CURRENCIES[context.currency].exponent < len("000"):
        large = text.replace(".", "")
        raise fault(question, f"This can be read in two ways. Enter {large} or {text[:-1]}.")
    if not digits:
        raise fault(question, "Enter an amount in digits, like 18,000 or 18000.50.")
    if digits.startswith("-"):
        raise fault(question, "Enter zero or more.")
    try:
        money = Money.parse(digits, context.currency)
    except NotMoney as no:
        raise fault(question, str(no)) from no
    if question.at_least is not None and money.minor < int(question.at_least):
        raise fault(question, "Enter more than zero.")
    return {"minor": money.minor, "currency": money.currency}


def _date(question: Question, text: str, context: Context) -> Value:
    try:
        day = date.fromisoformat(text)
    except ValueError as no:
        raise fault(question, "Enter a real date, like 2019-03-27.") from no
    if question.at_most is not None and day > _day(question.at_most, context):
        raise fault(question, "Enter a date that is not in the future.")
    if question.at_least is not None and day < _day(question.at_least, context):
        raise fault(question, f"Enter a date from {_day(question.at_least, context)} on.")
    return day.isoformat()


def _day(bound: int | str, context: Context) -> date:
    return context.today if bound == "today" else date.fromisoformat(str(bound))


def _email(question: Question, text: str, _: Context) -> Value:
    if not (kept := formats.email(text)):
        raise fault(question, "Enter an e-mail address, like name@example.com.")
    if words := mailed.objection(question, kept):
        raise fault(question, words)
    return kept


def _phone(question: Question, text: str, _: Context) -> Value:
    number = formats.telephone(text)
    if number is None:
        raise fault(question, "Start with + and the country code, like +44 20 7946 0018.")
    if not phonenumbers.is_possible_number(number):
        raise fault(question, "Check the number: it has too few or too many digits.")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _url(question: Question, text: str, _: Context) -> Value:
    if not (kept := formats.web_address(text)):
        raise fault(question, "Enter a web address, like https://example.com.")
    return kept


READERS: dict[QuestionKind, Callable[[Question, str, Context], Value]] = {
    QuestionKind.TEXT: _words,
    QuestionKind.LONG_TEXT: _words,
    QuestionKind.CHOICE: _choice,
    QuestionKind.YES_NO: _yes_no,
    QuestionKind.ATTEST: _attest,
    QuestionKind.COUNTRY: _country,
    QuestionKind.INTEGER: _integer,
    QuestionKind.PERCENT: _percent,
    QuestionKind.MONEY: _money,
    QuestionKind.DATE: _date,
    QuestionKind.EMAIL: _email,
    QuestionKind.PHONE: _phone,
    QuestionKind.URL: _url,
}
