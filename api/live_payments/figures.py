"""Figures about live's providers."""

from collections.abc import Iterator

from api.live_payments import open_work
from console.observability.figures import MOST, Figure, single


def read() -> Iterator[Figure]:
    states = open_work.states(MOST)
    about = "Live instructions without a result, by state. Staff decide about stuck ones."
    yield Figure("live_instructions", about, {(key,): n for key, n in states.items()}, ("state",))
    about = "Open differences between providers and our ledger."
    yield single("live_differences", about, open_work.breaks()[:MOST].count())
