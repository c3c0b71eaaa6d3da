"""People and organisations that answers name beside the owners, such as contacts and banks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from console.core.folding import Likeness, fold, likeness
from onboarding.questionnaire.edition_schema import Answers, Edition, NameOf, Question, QuestionKind

# Between several people in one field, but not a comma alone, which may be inside a name.
_BETWEEN = re.compile(r"\s*(?:[;/\n\t]|\s(?:and|&|\+)\s)\s*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_FEWEST_WORDS = 2


@dataclass(frozen=True)
class NamedParty:
    """A person or organisation that an answer names. Unknown details are "".

    `subject` is `named.`, the question, and the numbers of the row and of the name in its field.
    """

    subject: str
    name: str
    is_person: bool
    country: str = ""
    born: str = ""
    number: str = field(default="", init=False)

    def is_same(self, other: "NamedParty") -> bool:
        """Tell whether the other has this name, and nothing more to screen it by."""
        if self.is_person != other.is_person or other.born not in ("", self.born):
            return False
        if self.is_person:
            return likeness(self.name, other.name) is Likeness.SAME
        return fold(self.name) == fold(other.name)


def named_parties(edition: Edition, answers: Answers) -> Iterator[NamedParty]:
    """Yield whom the answers name, in the order of the questions."""
    for question in edition:
        if (answer := answers.get(question.key)) is None:
            continue
        subject = f"named.{question.key}"
        if question.kind is QuestionKind.ROWS:
            columns = [column for column in question.columns if column.names]
            for number, row in enumerate(answer if columns else ()):
                for column in columns:
                    yield from _named(f"{subject}.{number}", column, row)
        elif question.names:
            yield from _named(subject, question, answers)


def people_in(text: str) -> list[str]:
    """Return the names in a field for one person, into which several people were written."""
    parts = [part for part in _BETWEEN.split(text) if part]
    if len(parts) > 1:
        parts = [part for several in parts for part in _COMMA.split(several) if part]
    several = len(parts) > 1 and all(len(part.split()) >= _FEWEST_WORDS for part in parts)
    return parts if several else [text]


def _named(subject: str, question: Question, row: Mapping[str, Any]) -> Iterator[NamedParty]:
    text = str(row.get(question.key, "")).strip()
    is_person = question.names == NameOf.PERSON or (
        question.names == NameOf.STATED and row.get("kind") == NameOf.PERSON
    )
    country, born = (str(row.get(part, "")) for part in ("country", "born"))
    for number, name in enumerate(people_in(text) if is_person else [text]):
        at = f"{subject}.{number}" if number else subject
        # A date of birth is of one of several people.
        details = {"country": country, "born": born} if name == text else {}
        if name:
            yield NamedParty(at, name, is_person, **details)
