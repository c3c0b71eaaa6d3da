"""What a new key waits for beside its grant: the layers above register what they know of it.

A condition stops new keys alone; keys that work go on working.
"""

from collections.abc import Callable, Iterable

from apikeys.models import Grant
from console.core.refusals import Blocker

IssueCondition = Callable[[Grant], Iterable[Blocker]]
_conditions: list[IssueCondition] = []


def register(condition: IssueCondition) -> None:
    """Add a condition. Called from AppConfig.ready(), nowhere else."""
    _conditions.append(condition)


def blockers(grant: Grant) -> list[Blocker]:
    """Return what stands in the way of a new key of this grant, whoever asks."""
    return [found for condition in _conditions for found in condition(grant)]
