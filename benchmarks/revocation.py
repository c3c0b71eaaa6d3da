"""How long after its commit a revocation is obeyed, by every worker, under load (rulings, 4)."""

import json
import statistics

from benchmarks.place import said_by
from benchmarks.report import Row

WITHIN_MS, ASKED = 50.0, 95


def measure() -> list[Row]:
    """Revoke keys that every worker is called with, and return how many were obeyed in time."""
    delays: list[float] = json.loads(said_by("benchmarks.revoking"))
    in_time = sum(delay <= WITHIN_MS for delay in delays)
    figure = (
        f"{in_time} of {len(delays)} within {WITHIN_MS:g} ms, "
        f"half within {statistics.median(delays):.1f} ms, all within {max(delays):.1f} ms"
    )
    what = "revoked : refused by every worker, while each answers call after call"
    met = in_time * 100 >= ASKED * len(delays)
    return [Row("revoked/50ms", what, figure, f">= {ASKED} of 100", met)]
