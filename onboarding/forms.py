"""What the pages send: a section of the questionnaire by its own names, and the small forms."""

import re
from typing import Any

from django import forms
from django.http import QueryDict

from console.shell.forms import TextField
from onboarding.merging import OpenPage
from onboarding.questionnaire.kinds import ADDRESS_PARTS, MOST_ROWS
from onboarding.questionnaire.problems import Typed
from onboarding.questionnaire.schema import Kind, Question, Section

# Names of the questions that a page showed; a box that is not ticked is not sent.
ASKED = "asked"
_PAGE_NAME = re.compile("[0-9a-f]{1,32}")


def typed_in(section: Section, sent: QueryDict) -> dict[str, Typed]:
    """Return what was typed for the questions that the page showed, by question."""
    asked = set(sent.getlist(ASKED))
    return {q.key: _typed(q, sent) for q in section.questions if q.key in asked}


def shown_in(sent: QueryDict) -> frozenset[str]:
    """Return the questions that the page showed; a script that sends only some says so apart."""
    return frozenset(sent.getlist("shown") or sent.getlist(ASKED))


def page_in(sent: QueryDict) -> OpenPage:
    """Return which page it was sent from; what is no number is the oldest."""
    name = sent.get("page", "")
    known = name if _PAGE_NAME.fullmatch(name) else ""
    return OpenPage(_number(sent, "revision"), known, _number(sent, "sequence"))


def _number(sent: QueryDict, name: str) -> int:
    text = sent.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _typed(question: Question, sent: QueryDict) -> Typed:
    match question.kind:
        case Kind.MULTI | Kind.COUNTRIES:
            return sent.getlist(question.key)[: MOST_ROWS + 1]
        case Kind.ADDRESS:
            return {part: sent.get(f"{question.key}.{part}", "") for part in ADDRESS_PARTS}
        case Kind.ROWS:
            return _rows(question, sent)
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


class DeclareForm(forms.Form):
    """The declaration that everything is true."""

    declared = forms.BooleanField(required=False)

    def __init__(self, *args: Any, words: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["declared"].label = words


class NoteForm(forms.Form):
    """What a reviewer must say with a decision."""

    note = TextField(
        label="Why",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say why. A sentence is enough."},
    )

    def __init__(self, *args: Any, hint: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].help_text = hint


class DecideCheckForm(forms.Form):
    """A person's decision on a check."""

    passed = forms.ChoiceField(
        label="Your decision",
        choices=[
            ("yes", "It is not a match, or it is in order: passed"),
            ("no", "It is a match, or it is not in order: failed"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose passed or failed."},
    )
    reason = TextField(
        label="What you compared",
        help_text="Birth date, number, nationality: what agrees and what does not",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Say what you compared. A sentence is enough."},
    )


class QueueFilter(forms.Form):
    """What the queue is narrowed to; everything lives in the address."""

    q = forms.CharField(label="Business", required=False, max_length=100)
    stage = forms.ChoiceField(
        label="Stage",
        required=False,
        choices=[
            ("", "Waiting for us"),
            ("submitted", "In review"),
            ("held", "On hold"),
            ("returned", "Changes requested"),
            ("cleared", "Cleared to contract"),
            ("over", "Decided"),
            ("all", "All"),
        ],
    )
    tier = forms.ChoiceField(
        label="Tier",
        required=False,
        choices=[
            ("", "Any"),
            ("LOW", "Low"),
            ("MEDIUM", "Medium"),
            ("HIGH", "High"),
            ("PROHIBITED", "Prohibited"),
        ],
    )
