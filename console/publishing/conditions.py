"""The condition language of versioned files: when a question is shown or a document is included.

{"field": "role", "op": "eq", "value": "platform"}    one comparison
{"all": [...]}   {"any": [...]}   {"not": {...}}      combinations
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import PlainValidator

Values = Mapping[str, Any]


class ConditionFault(ValueError):
    """The condition is not in the language."""


@dataclass(frozen=True)
class Leaf:
    """One comparison of one value. A missing value satisfies only `ne`."""

    field: str
    op: str
    value: Any = None

    def holds(self, values: Values) -> bool:
        return OPERATORS[self.op](values.get(self.field), self.value)

    def leaves(self) -> "tuple[Leaf, ...]":
        return (self,)


@dataclass(frozen=True)
class _Parts:
    parts: "tuple[Predicate, ...]" = ()

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for part in self.parts for leaf in part.leaves())


class All(_Parts):
    """Holds if every part holds, or if there are no parts."""

    def holds(self, values: Values) -> bool:
        return all(part.holds(values) for part in self.parts)


class Either(_Parts):
    """Holds if at least one part holds."""

    def holds(self, values: Values) -> bool:
        return any(part.holds(values) for part in self.parts)


@dataclass(frozen=True)
class Not:
    """Holds if the part does not hold."""

    part: "Predicate"

    def holds(self, values: Values) -> bool:
        return not self.part.holds(values)

    def leaves(self) -> tuple[Leaf, ...]:
        return self.part.leaves()


Predicate = Leaf | All | Either | Not
ALWAYS = All()


def parse(data: Any) -> Predicate:
    """Parse a condition from JSON, or raise ConditionFault. None always holds."""
    match data:
        case Leaf() | All() | Either() | Not():
            return data
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
                raise ConditionFault(f"{op} is not an operator.")
            return Leaf(field, op, _frozen(rest.get("value")))
    raise ConditionFault(f"{data} is not a condition.")


# The type of a versioned file's member that is a condition.
ConditionMember = Annotated[Predicate, PlainValidator(parse)]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _members(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _compared(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def both_are_numbers(given: Any, value: Any) -> bool:
        return all(type(side) is int for side in (given, value)) and compare(given, value)

    return both_are_numbers


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda given, value: given is not None and given == value,
    "ne": lambda given, value: given != value,
    "in": lambda given, value: given is not None and given in value,
    "not_in": lambda given, value: given is not None and given not in value,
    "contains": lambda given, value: value in _members(given),
    "intersects": lambda given, value: any(item in value for item in _members(given)),
    "gt": _compared(lambda given, value: given > value),
    "gte": _compared(lambda given, value: given >= value),
    "lt": _compared(lambda given, value: given < value),
    "lte": _compared(lambda given, value: given <= value),
    "is_set": lambda given, _: given is not None,
    "count_gte": lambda given, value: len(_members(given)) >= value,
}
