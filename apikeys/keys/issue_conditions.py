"""Extra conditions for new keys, registered by higher layers.

A condition prevents new keys only; existing keys keep working.
"""

from collections.abc import Callable, Iterable

from apikeys.models import Grant
from console.core.refusals import Blocker

IssueCondition = Callable[[Grant], Iterable[Blocker]]
_conditions: list[IssueCondition] = []


def register(condition: IssueCondition) -> None:
    """Add a condition. Call from AppConfig.ready() only."""
    _conditions.append(condition)


def blockers(grant: Grant) -> list[Blocker]:
    """Return what prevents a new key of this grant, regardless of who asks."""
    return [found for condition in _conditions for found in condition(grant)]
