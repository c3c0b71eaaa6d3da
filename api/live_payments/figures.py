"""Figures about live's providers."""

from collections.abc import Iterator

from api.live_payments import open_work, screening_work
from console.observability.figures import MOST, Figure, single


def read() -> Iterator[Figure]:
    states = open_work.states(MOST)
    about = "Live instructions without a result, by state. Staff decide about stuck ones."
    yield Figure("live_instructions", about, {(key,): n for key, n in states.items()}, ("state",))
    about = "Live payments that wait for compliance, and those that nobody could screen yet."
    counted = {
        ("to_decide",): screening_work.to_decide()[:MOST].count(),
        ("not_screened",): screening_work.uncompared()[:MOST].count(),
    }
    yield Figure("live_payments_to_check", about, counted, ("state",))
    about = "Open differences between providers and our ledger."
    yield single("live_differences", about, open_work.breaks()[:MOST].count())
