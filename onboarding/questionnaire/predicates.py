"""When a question is shown: a small closed language over the other answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Answers = Mapping[str, Any]


class PredicateFault(ValueError):
    """The predicate is not in the language."""


@dataclass(frozen=True)
class Leaf:
    """One comparison of one answer. An answer that is not there satisfies nothing but `ne`."""

    field: str
    op: str
    value: Any = None

    def holds(self, answers: Answers) -> bool:
        return OPERATORS[self.op](answers.get(self.field), self.value)

    def leaves(self) -> "tuple[Leaf, ...]":
        return (self,)


@dataclass(frozen=True)
class All:
    """Every part holds. Without parts it always does."""

    parts: "tuple[Predicate, ...]" = ()

    def holds(self, answers: Answers) -> bool:
        return all(part.holds(answers) for part in self.parts)

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for part in self.parts for leaf in part.leaves())


@dataclass(frozen=True)
class Either:
    """At least one part holds."""

    parts: "tuple[Predicate, ...]"

    def holds(self, answers: Answers) -> bool:
        return any(part.holds(answers) for part in self.parts)

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for part in self.parts for leaf in part.leaves())


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: "Predicate"

    def holds(self, answers: Answers) -> bool:
        return not self.part.holds(answers)

    def leaves(self) -> tuple[Leaf, ...]:
        return self.part.leaves()


Predicate = Leaf | All | Either | Not
ALWAYS = All()


def parse(data: Any) -> Predicate:
    """Read a predicate from its JSON form, or raise PredicateFault."""
    match data:
        case None:
            return ALWAYS
        case {"all": list(parts), **rest} if not rest:
            return All(tuple(map(parse, parts)))
        case {"any": list(parts), **rest} if not rest:
            return Either(tuple(map(parse, parts)))
        case {"not": part, **rest} if not rest:
            return Not(parse(part))
        case {"field": str(field), "op": str(op), **rest} if not set(rest) - {"value"}:
            if op not in OPERATORS:
                raise PredicateFault(f"{op} is not an operator.")
            return Leaf(field, op, _frozen(rest.get("value")))
    raise PredicateFault(f"{data} is not a predicate.")


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _members(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else []


def _compared(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def both_are_numbers(answer: Any, value: Any) -> bool:
        return all(type(side) is int for side in (answer, value)) and compare(answer, value)

    return both_are_numbers


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda answer, value: answer is not None and answer == value,
    "ne": lambda answer, value: answer != value,
    "in": lambda answer, value: answer is not None and answer in value,
    "not_in": lambda answer, value: answer is not None and answer not in value,
    "contains": lambda answer, value: value in _members(answer),
    "intersects": lambda answer, value: any(item in value for item in _members(answer)),
    "gt": _compared(lambda answer, value: answer > value),
    "gte": _compared(lambda answer, value: answer >= value),
    "lt": _compared(lambda answer, value: answer < value),
    "lte": _compared(lambda answer, value: answer <= value),
    "is_set": lambda answer, _: answer is not None,
    "count_gte": lambda answer, value: len(_members(answer)) >= value,
}
