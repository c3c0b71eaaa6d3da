"""Reports for proofs with random sequences: how often each transition was made."""

from collections.abc import Mapping

from console.core.lifecycle import Lifecycle
from tests.proofs import Proven

_OFTEN, _MANY = 100, 1_000


def report(
    proven: Proven, lifecycle: Lifecycle, made: Mapping[tuple[str, str], int], wrong: list[str]
) -> None:
    """Report the divergences and the rarest transition; a small run must make each at least once.

    `made` counts by status before and status after.
    """
    moves = [(here, there) for here, onward in lifecycle.moves.items() for there in onward]
    rare = min(made.get(move, 0) for move in moves)
    figure = f"{proven.size:,} sequences, {len(wrong)} divergences, the rarest move {rare} times"
    least = _OFTEN if proven.size >= _MANY else 1
    proven.reached(figure, met=not wrong and rare >= least, wrong=wrong[:20])
