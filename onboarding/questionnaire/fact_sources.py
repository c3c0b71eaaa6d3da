"""Read a group of facts from answers, as the group declares: each fact beside where it comes from.

A group is a TypedDict. `Annotated[Text, answer("li_register")]` is a fact of the kind `Text`; a
fact without a source is a group itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from onboarding.questionnaire.edition_schema import Answers


@dataclass(frozen=True)
class Source:
    """Where a fact comes from: the answers to these questions, and what is made of them."""

    keys: tuple[str, ...]
    make: Callable[[Answers], Any]


def answer(key: str, *, otherwise: Any = None) -> Source:
    """Hand an answer on as it is; `otherwise` is the fact where the question was not asked."""
    return Source((key,), lambda answers: answers.get(key, otherwise))


def made(make: Callable[..., Any], *asked: str) -> Source:
    """Make a fact of these answers, each None where its question was not asked."""
    return Source(asked, lambda answers: make(*map(answers.get, asked)))


def rows(key: str, group: Any) -> Source:
    """Read a group from each row of an answer."""
    return Source((key,), lambda answers: [read(group, row) for row in answers[key]])


def one_if(key: str, group: Any) -> Source:
    """Read a group, alone in its list, where the answer is yes."""
    asked = (key, *keys(group))
    return Source(asked, lambda answers: [read(group, answers)] if answers[key] else [])


def read(group: Any, answers: Answers) -> dict[str, Any]:
    """Return the facts of a group, made from these answers."""
    return {
        name: source.make(answers) if source else read(kind, answers)
        for name, kind, source in _declared(group)
    }


def kinds(group: Any) -> dict[str, Any]:
    """Return the kind of each fact of a group, without its source."""
    return {name: kind for name, kind, _ in _declared(group)}


def keys(group: Any) -> Iterator[str]:
    """Yield the questions that the facts of a group come from."""
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
