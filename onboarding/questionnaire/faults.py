"""Validation of editions: duplicate keys, wrong references, cycles and invisible questions."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from console.publishing.conditions import Leaf, Predicate
from onboarding.questionnaire import rules
from onboarding.questionnaire.edition_schema import Edition, Question, QuestionKind

CHOSEN = frozenset({QuestionKind.CHOICE, QuestionKind.MULTI})
# Try at most this many combinations, and reject conditions that would need more.
MOST_COMBINATIONS = 50_000


def faults_of(edition: Edition) -> list[str]:
    """Return everything that is wrong with an edition, one sentence each."""
    return [fault for find in FINDERS for fault in find(edition)]


def _keys_used_twice(edition: Edition) -> Iterator[str]:
    for key, count in Counter(question.key for question in edition).items():
        if count > 1:
            yield f"{key} is the key of {count} questions."


def _shapes(edition: Edition) -> Iterator[str]:
    for question in edition:
        for part in (question, *question.columns):
            if (part.kind in CHOSEN) != bool(part.options):
                yield f"{part.key}: options belong to questions with a choice, and only there."
        if (question.kind is QuestionKind.ROWS) != bool(question.columns):
            yield f"{question.key}: columns belong to rows, and only there."


def _references(edition: Edition) -> Iterator[str]:
    for question in edition:
        named = {leaf.field for leaf in question.visible.leaves()}
        named |= {question.currency_from} - {""}
        for key in sorted(named - set(edition.by_key)):
            yield f"{question.key} depends on {key}, which is not asked."


def _rules(edition: Edition) -> Iterator[str]:
    for section in edition.sections:
        for rule in section.rules:
            if rule.kind not in rules.KINDS:
                yield f"{section.key}: {rule.kind} is not a rule."
            if section.question(rule.field) is None:
                yield f"{section.key}: a rule looks at {rule.field}, which is not asked there."


def _cycles(edition: Edition) -> Iterator[str]:
    for question in edition:
        if question.key in _reached_from(question, edition):
            yield f"{question.key} is shown or hidden by its own answer."


def _reached_from(question: Question, edition: Edition) -> set[str]:
    reached, waiting = set[str](), [question]
    while waiting:
        for leaf in waiting.pop().visible.leaves():
            if leaf.field not in reached and leaf.field in edition.by_key:
                reached.add(leaf.field)
                waiting.append(edition.by_key[leaf.field])
    return reached


def _never_seen(edition: Edition) -> Iterator[str]:
    for question in edition:
        if not _can_hold(question.visible, edition):
            yield f"{question.key} can never be seen."


def _can_hold(condition: Predicate, edition: Edition) -> bool:
    by_field: dict[str, list[Leaf]] = {}
    for leaf in condition.leaves():
        by_field.setdefault(leaf.field, []).append(leaf)
    samples = [_samples(edition.by_key.get(field), leaves) for field, leaves in by_field.items()]
    combinations = product(*samples)
    for tried, values in enumerate(combinations):
        if tried > MOST_COMBINATIONS:
            return False
        if condition.holds(dict(zip(by_field, values, strict=True))):
            return True
    return False


def _samples(question: Question | None, leaves: list[Leaf]) -> list[Any]:
    """Return sample answers that cover both outcomes of every comparison."""
    if question is None:
        return [None]
    if question.kind is QuestionKind.YES_NO:
        return [None, True, False]
    keys = [option.key for option in question.options]
    if question.kind is QuestionKind.CHOICE:
        return [None, *keys]
    if question.kind is QuestionKind.MULTI:
        return [None, keys, *([key] for key in keys)]
    named = [value for leaf in leaves for value in _values_of(leaf)]
    return [None, "anything", [], *named, *([value] for value in named), ["a"] * 20]


def _values_of(leaf: Leaf) -> list[Any]:
    values = list(leaf.value) if isinstance(leaf.value, tuple) else [leaf.value]
    near = [value + step for value in values if type(value) is int for step in (-1, 1)]
    return values + near


FINDERS = (_keys_used_twice, _shapes, _references, _rules, _cycles, _never_seen)
