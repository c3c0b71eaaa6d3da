"""Parsing of single-field input, by kind of question."""

import unicodedata
from collections.abc import Callable
from datetime import date
from decimal import Decimal

import phonenumbers
from django.utils.translation import gettext as _

from console.core.money import CURRENCIES, Money, NotMoney
from onboarding.questionnaire import email_facts, formats
from onboarding.questionnaire.answer_problems import Context, fault
from onboarding.questionnaire.edition_schema import Question, QuestionKind, Value
from onboarding.reference import countries

PLACES = 4
LONGEST = {QuestionKind.TEXT: 300, QuestionKind.LONG_TEXT: 4000}


def _words(question: Question, text: str, _context: Context) -> Value:
    most = int(question.at_most or LONGEST[question.kind])
    if question.kind is QuestionKind.TEXT:
        text = text.replace("\t", " ")  # as pasted from a table
        if "\n" in text:
            raise fault(question, _("Use one line only."))
    if len(text) > most:
        words = _("Use %(most)s characters or fewer. You have used %(count)s.")
        raise fault(question, words, most=most, count=len(text))
    if len(text) < int(question.at_least or 0):
        words = _("Use at least %(least)s characters.")
        raise fault(question, words, least=question.at_least)
    if words := email_facts.objection(question, text):
        raise fault(question, words)
    return text


def _choice(question: Question, text: str, _context: Context) -> Value:
    if question.option(text) is None:
        raise fault(question, _("Choose one of the answers in the list."))
    return text


def _yes_no(question: Question, text: str, _context: Context) -> Value:
    if text not in ("yes", "no"):
        raise fault(question, _("Choose yes or no."))
    return text == "yes"


def _attest(question: Question, text: str, _context: Context) -> Value:
    if text != "yes":
        raise fault(question, _("Tick the box if you agree."))
    return True


def _country(question: Question, text: str, _context: Context) -> Value:
    if not countries.exists(text):
        raise fault(question, _("Choose a country from the list."))
    return text


def _integer(question: Question, text: str, _context: Context) -> Value:
    number = formats.whole(formats.in_ascii(text))
    if number is None:
        raise fault(question, _("Enter a whole number, like 1200."))
    if question.at_least is not None and number < int(question.at_least):
        words = _("Enter a number of %(at_least)s or more.")
        raise fault(question, words, at_least=question.at_least)
    if question.at_most is not None and number > int(question.at_most):
        words = _("Enter a number of %(at_most)s or less.")
        raise fault(question, words, at_most=question.at_most)
    return number


def _percent(question: Question, text: str, _context: Context) -> Value:
    number = formats.percentage(formats.in_ascii(text))
    least, most = question.at_least or 0, question.at_most or 100
    if number is None:
        raise fault(question, _("Enter a percentage in digits, like 12.5."))
    if -int(number.as_tuple().exponent) > PLACES:
        words = _("Use at most %(places)s decimal places, like 33.3333.")
        raise fault(question, words, places=PLACES)
    if not Decimal(least) <= number <= Decimal(most):
        words = _("Enter a number between %(least)s and %(most)s.")
        raise fault(question, words, least=least, most=most)
    return formats.plain(number)


def _money(question: Question, text: str, context: Context) -> Value:
    if context.currency not in CURRENCIES:
        raise fault(question, _("Choose the currency first."))
    text = text.removeprefix(context.currency).removesuffix(context.currency).strip()
    signs = (char for char in text if unicodedata.category(char) == "Sc")
    if sign := next(signs, "") or formats.currency_beside(text):
        words = _("Leave out “%(sign)s”: the amount is in %(currency)s.")
        raise fault(question, words, sign=sign, currency=context.currency)
    text = formats.in_ascii(text)
    digits = formats.ungrouped(text)
    # With three places, as of a dinar, it is the usual way to write eighteen.
    if formats.is_ambiguous(text) and CURRENCIES[context.currency].exponent != len("000"):
        words = _("This can be read in two ways. Enter %(large)s or %(small)s.")
        raise fault(question, words, large=text.replace(".", ""), small=text[:-1])
    if not digits:
        raise fault(question, _("Enter an amount in digits, like 18,000 or 18000.50."))
    if digits.startswith("-"):
        raise fault(question, _("Enter zero or more."))
    try:
        money = Money.parse(digits, context.currency)
    except NotMoney as no:
        raise fault(question, str(no)) from no
    if question.at_least is not None and money.minor < int(question.at_least):
        raise fault(question, _("Enter more than zero."))
    return {"minor": money.minor, "currency": money.currency}


def _date(question: Question, text: str, context: Context) -> Value:
    try:
        day = date.fromisoformat(text)
    except ValueError as no:
        raise fault(question, _("Enter a real date, like 2019-03-27.")) from no
    if question.at_most is not None and day > _day(question.at_most, context):
        raise fault(question, _("Enter a date that is not in the future."))
    if question.at_least is not None and day < _day(question.at_least, context):
        words = _("Enter %(day)s or a later date.")
        raise fault(question, words, day=_day(question.at_least, context))
    return day.isoformat()


def _day(bound: int | str, context: Context) -> date:
    return context.today if bound == "today" else date.fromisoformat(str(bound))


def _email(question: Question, text: str, _context: Context) -> Value:
    if not (kept := formats.email(text)):
        raise fault(question, _("Enter an e-mail address, like name@example.com."))
    if words := email_facts.objection(question, kept):
        raise fault(question, words)
    return kept


def _phone(question: Question, text: str, _context: Context) -> Value:
    """Return a number in E.164, with its extension if it has one: `+442079460018 ext. 5`."""
    text = unicodedata.normalize("NFKC", text)
    number = formats.telephone(text)
    has_code = number is not None or text.startswith("+")
    if has_code and (wrong := formats.not_dialled(text)):
        raise fault(question, _("Leave out “%(wrong)s”: it is no part of the number."), wrong=wrong)
    if number is None:
        raise fault(question, _("Start with + and the country code, like +44 20 7946 0018."))
    if not phonenumbers.is_possible_number(number):
        raise fault(question, _("Check the number: it has too few or too many digits."))
    kept = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{kept} ext. {number.extension}" if number.extension else kept


def _url(question: Question, text: str, _context: Context) -> Value:
    if not (kept := formats.web_address(text)):
        raise fault(question, _("Enter a web address, like https://example.com."))
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
