"""What a field names as an example, in its hint or its refusal, it accepts."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from django import forms

from api.checkout import domain_names
from apikeys import allowed_networks
from apikeys.lifecycle import Environment
from console.core.refusals import Refused
from onboarding.questionnaire import text_parsers
from onboarding.questionnaire.answer_problems import Context, Unreadable
from onboarding.questionnaire.edition_schema import Question, QuestionKind
from onboarding.questionnaire.loading import EDITIONS
from onboarding.restrictions.forms import RestrictedEntryForm
from tests.guards.test_forms import all_forms

CONTEXT = Context(today=date(2026, 11, 27), currency="USD")
_INTRODUCED = re.compile(r"(?:such as|in the form|like|[Ff]or example) (.*)", re.DOTALL)
# A word with a digit, a dot or an @ in it, or of capitals alone; none of those in brackets.
_WORD = re.compile(r"(?<!\()\b(?=\S*(?:\d|\w\.\w|@)|[A-Z]{2,}\b)[\w@:/.-]*\w")


def examples(text: str) -> list[str]:
    found = _INTRODUCED.search(re.sub(r"\(.*?\)", "", text))
    return _WORD.findall(found[1]) if found else []


def restricted_code(given: str) -> None:
    form = RestrictedEntryForm({"code": given})
    if form["code"].errors:
        raise forms.ValidationError(form["code"].errors.as_text())


# Fields whose value is checked by somebody else than the field itself.
ELSEWHERE: dict[str, Callable[[str], Any]] = {
    "NetworksForm.networks": lambda given: allowed_networks.parse(given, Environment.SANDBOX),
    "DomainForm.domain": domain_names.read,
    "RestrictedEntryForm.code": restricted_code,
}


def hints() -> Iterator[tuple[str, forms.Field, str]]:
    """Return every example of a form's hints and of its fields' own refusals."""
    for form in all_forms():
        for name, field in form.base_fields.items():
            for text in (field.help_text, field.error_messages.get("invalid", "")):
                for example in examples(str(text)):
                    yield f"{form.__name__}.{name}", field, example


def test_forms_accept_their_examples():
    seen = set()
    for name, field, example in hints():
        ELSEWHERE.get(name, field.clean)(example)
        seen.add(name)
    assert seen > ELSEWHERE.keys()


@pytest.mark.parametrize("check", ELSEWHERE.values(), ids=ELSEWHERE)
def test_refusals_name_examples_that_are_accepted(check):
    with pytest.raises((Refused, forms.ValidationError)) as refused:
        check("?")
    found = examples(str(refused.value))
    assert found
    for example in found:
        check(example)


@pytest.mark.parametrize("kind", ["integer", "percent", "money", "date", "email", "phone", "url"])
def test_the_questionnaire_accepts_the_examples_of_its_refusals(kind):
    question = Question("q", "The question", QuestionKind(kind))
    parse = text_parsers.READERS[question.kind]
    with pytest.raises(Unreadable) as refused:
        parse(question, "?", CONTEXT)
    (_, found) = str(refused.value).removesuffix(".").split(", like ")
    for example in found.split(" or "):
        parse(question, example, CONTEXT)


def test_the_questionnaire_accepts_the_examples_of_its_hints():
    newest = EDITIONS.load(EDITIONS.versions()[-1])
    columns = [column for question in newest for column in (question, *question.columns)]
    hinted = [one for one in columns if ", like " in one.help]
    assert hinted
    for question in hinted:
        text_parsers.READERS[question.kind](question, question.help.split(", like ")[1], CONTEXT)
