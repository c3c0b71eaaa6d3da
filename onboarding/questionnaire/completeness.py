"""Completeness of a questionnaire: what must be done before it can be submitted."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from console.core.refusals import Blocker
from onboarding.questionnaire import answering
from onboarding.questionnaire.answering import AnswerState
from onboarding.questionnaire.edition_schema import Answers, Edition, Section
from onboarding.restrictions.restricted_list import StatedPlace


def blockers(edition: Edition, answers: Answers, unreadable: frozenset[str]) -> list[Blocker]:
    """Return what must be done before submission, in the edition's order.

    The code of each blocker is the key of its question.
    """
    found: list[Blocker] = []
    for section in edition.sections:
        problems = answering.missing(edition, section, answers)
        missing = [problem for problem in problems if problem.question not in unreadable]
        found += [Blocker(p.question, f"{section.title}: {p.message}") for p in missing]
        found += _wrong(edition, section, answers, unreadable)
    return found


def wrong(edition: Edition, answers: Answers, unreadable: frozenset[str]) -> list[Blocker]:
    """Return only those of `blockers` that are about answers which must be corrected."""
    sections = edition.sections
    return [one for section in sections for one in _wrong(edition, section, answers, unreadable)]


def _wrong(
    edition: Edition, section: Section, answers: Answers, unreadable: frozenset[str]
) -> Iterator[Blocker]:
    shown = answering.visible(edition, answers)
    for question in section.questions:
        if question.key in unreadable & shown:
            yield Blocker(
                question.key,
                _("%(title)s: correct “%(question)s”.")
                % {"title": section.title, "question": question.label},
            )
    for problem in answering.contradictions(edition, section, answers):
        label = edition.by_key[problem.question].label
        named = "" if problem.code == "contradiction" else f", “{label}”"
        yield Blocker(
            problem.question,
            _("%(title)s%(named)s: %(message)s")
            % {"title": section.title, "named": named, "message": problem.message},
        )


def places(edition: Edition, answers: Answers) -> Iterator[StatedPlace]:
    """Yield every country in the applicable answers."""
    for key, value in answering.applicable(edition, answers).items():
        yield from answering.places(edition.by_key[key], value)


def states(
    edition: Edition, answers: Answers, unreadable: frozenset[str]
) -> dict[str, AnswerState]:
    """Return the state of each section."""
    return {s.key: answering.state(edition, s, answers, unreadable) for s in edition.sections}
