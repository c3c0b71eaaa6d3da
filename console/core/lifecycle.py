"""A table of which status may follow which, its check and its diagram."""

from collections.abc import Iterable, Mapping

from console.core.refusals import WrongStatus


class Lifecycle:
    """The allowed moves of one kind of thing.

    Every status is a key, so a final status is one that maps to nothing. The same table is
    enforced by the database: see `console.core.moves_constraint`.
    """

    def __init__(self, moves: Mapping[str, Iterable[str]], *, start: Iterable[str] = ()) -> None:
        self.moves = {str(here): frozenset(map(str, there)) for here, there in moves.items()}
        self.start = tuple(map(str, start)) or (next(iter(self.moves)),)

    def allows(self, here: str, there: str) -> bool:
        return there in self.moves[here]

    def before(self, there: str) -> frozenset[str]:
        """Return the statuses from which that one can come next."""
        return frozenset(here for here in self.moves if self.allows(here, there))

    def check(self, here: str, there: str) -> None:
        """Refuse a move that the table does not name."""
        if self.allows(here, there):
            return
        if here == there:
            raise WrongStatus(f"It is already {_said(here)}.", reason="already_done")
        raise WrongStatus(f"It is {_said(here)}, so it cannot become {_said(there)}.")

    @property
    def final(self) -> frozenset[str]:
        return frozenset(here for here, onward in self.moves.items() if not onward)

    def arrows(self) -> list[str]:
        """Return the table as `here>there`, sorted, with `>start` for how a row may begin."""
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
