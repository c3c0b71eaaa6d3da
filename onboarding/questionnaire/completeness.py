"""Whether a whole questionnaire can be handed in, and what stands in the way."""

from collections.abc import Iterator

from console.core.refusals import Blocker
from onboarding.questionnaire import answering
from onboarding.questionnaire.answering import AnswerState
from onboarding.questionnaire.schema import Answers, Edition
from onboarding.restrictions.restricted_list import StatedPlace


def blockers(edition: Edition, answers: Answers, unreadable: frozenset[str]) -> list[Blocker]:
    """Return what must still be done before it can be submitted, in the edition's order."""
    shown = answering.visible(edition, answers)
    found: list[Blocker] = []
    for section in edition.sections:
        found += [
            Blocker(q.key, f"{section.title}: put “{q.label}” right.")
            for q in section.questions
            if q.key in unreadable and q.key in shown
        ]
        problems = answering.missing(edition, section, answers)
        problems = [problem for problem in problems if problem.question not in unreadable]
        problems += answering.contradictions(edition, section, answers)
        found += [Blocker(p.question, f"{section.title}: {p.message}") for p in problems]
    return found


def places(edition: Edition, answers: Answers) -> Iterator[StatedPlace]:
    """Yield every country that the answers name, of those that count."""
    for key, value in answering.applicable(edition, answers).items():
        yield from answering.places(edition.by_key[key], value)


def states(
    edition: Edition, answers: Answers, unreadable: frozenset[str]
) -> dict[str, AnswerState]:
    """Return how far each section is."""
    return {s.key: answering.state(edition, s, answers, unreadable) for s in edition.sections}
