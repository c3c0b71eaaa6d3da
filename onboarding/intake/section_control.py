"""The control for one question on a section's page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from onboarding.questionnaire.edition_schema import Option, Question, QuestionKind
from onboarding.reference import countries

_SHAPES = {
    QuestionKind.LONG_TEXT: "text",
    QuestionKind.MULTI: "boxes",
    QuestionKind.YES_NO: "radios",
    QuestionKind.COUNTRY: "country",
    QuestionKind.COUNTRIES: "countries",
    QuestionKind.ADDRESS: "address",
    QuestionKind.ROWS: "rows",
    QuestionKind.OWNERSHIP: "ownership",
}
_INPUT_TYPES = {
    QuestionKind.DATE: "date",
    QuestionKind.EMAIL: "email",
    QuestionKind.PHONE: "tel",
    QuestionKind.URL: "text",
}
_SHORT = frozenset(
    {QuestionKind.MONEY, QuestionKind.PERCENT, QuestionKind.INTEGER, QuestionKind.DATE}
)
_INPUT_MODES = {
    QuestionKind.MONEY: "decimal",
    QuestionKind.PERCENT: "decimal",
    QuestionKind.INTEGER: "numeric",
    QuestionKind.URL: "url",
}
# With more options than this, a choice is a select list; in table rows it always is.
MANY = 6


@dataclass(frozen=True)
class Control:
    """One question, part of an address, or table cell, with its value and errors."""

    question: Question
    path: str
    text: str = ""
    chosen: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    #: What our reviewers ask about the answer, in their words.
    asked: tuple[str, ...] = ()
    is_locked: bool = False
    parts: tuple["Control", ...] = ()
    rows: tuple[tuple["Control", ...], ...] = ()
    parties: tuple["PartyFields", ...] = ()
    #: What follows from the answer, in sentences.
    told: tuple[str, ...] = ()
    theirs: str = ""
    is_unsaved: bool = False
    is_suggested: bool = False
    currency: str = ""
    in_row: bool = False

    @property
    def id(self) -> str:
        return "q-" + self.path.replace(".", "-")

    @property
    def name(self) -> str:
        # All countries of a list are sent under the same name.
        listed = self.question.kind is QuestionKind.COUNTRY and self.path[-1].isdigit()
        return self.path.rpartition(".")[0] if listed else self.path

    @property
    def shape(self) -> str:
        """The template that renders it."""
        kind = self.question.kind
        if kind is QuestionKind.CHOICE:
            return "select" if self.in_row or len(self.question.options) > MANY else "radios"
        return _SHAPES.get(kind, "line")

    @property
    def options(self) -> tuple[Option, ...]:
        if self.question.kind is QuestionKind.YES_NO:
            return (Option("yes", _("Yes")), Option("no", _("No")))
        return self.question.options

    @property
    def countries(self) -> dict[str, str]:
        return countries.names()

    @property
    def described_by(self) -> str:
        given = {
            "asked": self.asked,
            "hint": self.question.help,
            "error": self.errors,
            "theirs": self.theirs,
        }
        return " ".join(f"{self.id}-{name}" for name, text in given.items() if text)

    @property
    def input_type(self) -> str:
        return _INPUT_TYPES.get(self.question.kind, "text")

    @property
    def holds_words(self) -> bool:
        return self.question.kind is QuestionKind.TEXT

    @property
    def is_short(self) -> bool:
        return self.question.kind in _SHORT

    @property
    def input_mode(self) -> str:
        return _INPUT_MODES.get(self.question.kind, "")


@dataclass(frozen=True)
class PartyFields:
    """The fields of one owner, director or other party, in the groups in which they are shown."""

    path: str
    id: str
    name: str
    #: Its name or, if it is to be added, what for.
    title: str
    who: tuple[Control, ...]
    holdings: tuple[tuple[Control, ...], ...]
    #: What is more than a share: its kind and its votes, for each holding.
    rights: tuple[tuple[Control, ...], ...]
    acts: tuple[tuple[Control, ...], ...]
    ticks: tuple[Control, ...]
    #: Whether to show what few parties have.
    is_open: bool
