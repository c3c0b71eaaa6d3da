"""Lifecycle: a table of allowed status changes, with its check and its diagram."""

from collections.abc import Iterable, Mapping

from console.core.refusals import WrongStatus


class Lifecycle:
    """The allowed status changes of one kind of object.

    Every status is a key; a final status maps to nothing. The database enforces the same table: see
    `console.core.moves_constraint`.
    """

    def __init__(self, moves: Mapping[str, Iterable[str]], *, start: Iterable[str] = ()) -> None:
        self.moves = {str(here): frozenset(map(str, there)) for here, there in moves.items()}
        self.start = tuple(map(str, start)) or (next(iter(self.moves)),)

    def allows(self, here: str, there: str) -> bool:
        return there in self.moves[here]

    def before(self, there: str) -> frozenset[str]:
        """Return the statuses that can change to this one."""
        return frozenset(here for here in self.moves if self.allows(here, there))

    def check(self, here: str, there: str) -> None:
        """Raise WrongStatus if the table does not allow the change."""
        if self.allows(here, there):
            return
        raise WrongStatus.between(_said(here), _said(there))

    @property
    def final(self) -> frozenset[str]:
        return frozenset(here for here, onward in self.moves.items() if not onward)

    def arrows(self) -> list[str]:
        """Return the table as sorted `here>there` arrows, with `>start` for each initial status."""
        begin = [f">{status}" for status in self.start]
        onward = [f"{here}>{there}" for here, theres in self.moves.items() for there in theres]
        return sorted(begin) + sorted(onward)

    def diagram(self) -> str:
        """Return the table as a Mermaid state diagram."""
        lines = ["stateDiagram-v2", *(f"    [*] --> {status}" for status in self.start)]
        for here, onward in self.moves.items():
            lines += [f"    {here} --> {there}" for there in sorted(onward)]
        lines += [f"    {here} --> [*]" for here in sorted(self.final)]
        return "\n".join(lines)


def _said(status: str) -> str:
    return str(status).replace("_", " ")
