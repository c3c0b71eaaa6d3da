"""The types of the questionnaire: Edition, Section, Question, Option, AnswerRule."""

from collections.abc import Iterator, Mapping
from enum import StrEnum, auto
from functools import cached_property
from typing import Any

from pydantic.dataclasses import dataclass

from console.publishing.conditions import ALWAYS, ConditionMember
from console.publishing.files import STRICT, VersionedFile
from onboarding.restrictions.restricted_list import RestrictionScope

# A stored value: text, integer, boolean, or a list or mapping of those. Never a float.
Value = str | int | bool | list["Value"] | dict[str, "Value"] | None
Answers = Mapping[str, Any]


class QuestionKind(StrEnum):
    """The type of an answer, which determines how it is asked, parsed, shown and compared."""

    TEXT = auto()
    LONG_TEXT = auto()
    CHOICE = auto()
    MULTI = auto()
    YES_NO = auto()
    COUNTRY = auto()
    COUNTRIES = auto()
    MONEY = auto()
    INTEGER = auto()
    PERCENT = auto()
    DATE = auto()
    EMAIL = auto()
    PHONE = auto()
    URL = auto()
    ADDRESS = auto()
    ROWS = auto()
    OWNERSHIP = auto()
    ATTEST = auto()


class NameOf(StrEnum):
    """Whose name an answer is. STATED: `kind` of the same row says whether it is a person's."""

    PERSON = auto()
    ORGANISATION = auto()
    STATED = auto()


class Due(StrEnum):
    """By when an answer is required."""

    SUBMIT = auto()
    REVIEW = auto()
    HIGH = auto()
    LIVE = auto()


@dataclass(frozen=True, config=STRICT)
class Option:
    """One option of a choice. The key `none` excludes all others."""

    key: str
    label: str
    hint: str = ""


@dataclass(frozen=True, config=STRICT)
class Question:
    """One question, or one column of a question that is answered in rows.

    `at_least` and `at_most` bound a number, a length, a count of rows, or a date (`today`).
    `restricted_as` is how a country in the answer is matched with the restricted list. `scope`
    names the approvals that depend on the answer, and `feeds` the risk indicators. `names` is set
    if the answer is a name that is screened.
    """

    key: str
    label: str
    kind: QuestionKind
    help: str = ""
    why: str = ""
    required: bool = True
    due: Due = Due.SUBMIT
    visible: ConditionMember = ALWAYS
    options: tuple[Option, ...] = ()
    columns: "tuple[Question, ...]" = ()
    at_least: int | str | None = None
    at_most: int | str | None = None
    currency_from: str = ""
    restricted_as: RestrictionScope | None = None
    autocomplete: str = ""
    scope: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    pii: bool = False
    names: NameOf | None = None

    def option(self, key: str) -> Option | None:
        return next((option for option in self.options if option.key == key), None)


@dataclass(frozen=True, config=STRICT)
class AnswerRule:
    """A check of more than one value. `kind` is a key of `rules.KINDS`."""

    kind: str
    field: str
    message: str
    column: str = ""
    other: str = ""
    amount: str = ""


@dataclass(frozen=True, config=STRICT)
class Section:
    """Questions that are answered and saved together."""

    key: str
    title: str
    group: str
    hint: str
    lede: str
    minutes: int
    questions: tuple[Question, ...]
    rules: tuple[AnswerRule, ...] = ()

    def question(self, key: str) -> Question | None:
        return next((question for question in self.questions if question.key == key), None)


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Edition(VersionedFile):
    """One edition of the questionnaire. Editions never change; applications store their version."""

    key: str
    declaration: str
    sections: tuple[Section, ...]

    def __iter__(self) -> Iterator[Question]:
        for section in self.sections:
            yield from section.questions

    @cached_property
    def by_key(self) -> dict[str, Question]:
        return {question.key: question for question in self}

    @cached_property
    def minutes(self) -> int:
        return sum(section.minutes for section in self.sections)

    @cached_property
    def section_of(self) -> dict[str, Section]:
        """The section of each question, by the question's key."""
        return {question.key: one for one in self.sections for question in one.questions}

    def section(self, key: str) -> Section | None:
        return next((section for section in self.sections if section.key == key), None)

    def groups(self) -> list[tuple[str, list[Section]]]:
        """Return the sections under the headings of the task list, in order."""
        found: dict[str, list[Section]] = {}
        for section in self.sections:
            found.setdefault(section.group, []).append(section)
        return list(found.items())
