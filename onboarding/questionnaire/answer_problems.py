"""AnswerProblem and Unreadable: what is wrong with an answer, in words for its author."""

from dataclasses import dataclass
from datetime import date

from onboarding.questionnaire.edition_schema import Question

# Form input: text, several texts, named parts, or rows of named parts.
Typed = str | list[str] | dict[str, str] | list[dict[str, str]]


@dataclass(frozen=True)
class AnswerProblem:
    """A problem with an answer: where (`key`, `key.part`, `key.row.column`), and what to do."""

    path: str
    message: str
    code: str = "invalid"

    @property
    def question(self) -> str:
        return self.path.partition(".")[0]


class Unreadable(ValueError):
    """The input is not a valid answer to the question. `problems` say why."""

    def __init__(self, *problems: AnswerProblem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Context:
    """What a parser needs besides the question: today's date, and the currency of amounts."""

    today: date
    currency: str = ""


def fault(question: Question, message: str, **values: object) -> Unreadable:
    """Return the refusal of an answer, with these values in its message."""
    return Unreadable(AnswerProblem(question.key, message % values if values else message))
