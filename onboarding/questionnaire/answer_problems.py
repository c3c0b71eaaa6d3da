"""What can be wrong with what was typed, said so that its reader knows what to do."""

from dataclasses import dataclass
from datetime import date

from onboarding.questionnaire.edition_schema import Question

# What a form sends: text, several texts, named parts, or rows of named parts.
Typed = str | list[str] | dict[str, str] | list[dict[str, str]]


@dataclass(frozen=True)
class AnswerProblem:
    """What is wrong with an answer, where (`key`, `key.part`, `key.row.column`), what to do."""

    path: str
    message: str
    code: str = "invalid"

    @property
    def question(self) -> str:
        return self.path.partition(".")[0]


class Unreadable(ValueError):
    """What was typed is no answer to this question. `problems` say why, to the reader."""

    def __init__(self, *problems: AnswerProblem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Context:
    """What a reader needs to know beside the question: the day, and the currency of the amounts."""

    today: date
    currency: str = ""


def fault(question: Question, message: str, part: str = "") -> Unreadable:
    return Unreadable(AnswerProblem(f"{question.key}.{part}" if part else question.key, message))
