"""Derivation of facts from answers, declared in type annotations.

A group is a TypedDict. `Annotated[Text, answer("li_register")]` is a fact of the kind `Text`. A
fact without a source is itself a group.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from onboarding.questionnaire.edition_schema import Answers


@dataclass(frozen=True)
class Source:
    """The source of a fact: the questions, and the function that derives it from the answers."""

    keys: tuple[str, ...]
    make: Callable[[Answers], Any]


def answer(key: str, *, otherwise: Any = None) -> Source:
    """Use an answer unchanged; `otherwise` is the fact if the question was not asked."""
    return Source((key,), lambda answers: answers.get(key, otherwise))


def made(make: Callable[..., Any], *asked: str) -> Source:
    """Derive a fact from these answers, each None if its question was not asked."""
    return Source(asked, lambda answers: make(*map(answers.get, asked)))


def rows(key: str, group: Any) -> Source:
    """Derive a group from each row of an answer."""
    return Source((key,), lambda answers: [read(group, row) for row in answers[key]])


def one_if(key: str, group: Any) -> Source:
    """Derive a list with one group if the answer is yes, else an empty list."""
    asked = (key, *keys(group))
    return Source(asked, lambda answers: [read(group, answers)] if answers[key] else [])


def read(group: Any, answers: Answers) -> dict[str, Any]:
    """Return the facts of a group, derived from these answers."""
    return {
        name: source.make(answers) if source else read(kind, answers)
        for name, kind, source in _declared(group)
    }


def kinds(group: Any) -> dict[str, Any]:
    """Return the kind of each fact in a group, without its source."""
    return {name: kind for name, kind, _ in _declared(group)}


def keys(group: Any) -> Iterator[str]:
    """Yield the questions that a group's facts are derived from."""
    for _, kind, source in _declared(group):
        yield from source.keys if source else keys(kind)


def _declared(group: Any) -> Iterator[tuple[str, Any, Source | None]]:
    for name, hint in get_type_hints(group, include_extras=True).items():
        *marks, last = getattr(hint, "__metadata__", (None,))
        if isinstance(last, Source):
            kind = hint.__origin__
            yield name, Annotated[(kind, *marks)] if marks else kind, last
        else:
            yield name, hint, None
