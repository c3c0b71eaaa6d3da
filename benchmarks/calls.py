"""What a call costs: the whole API against a bare view and against peers that only check a key."""

import json
import statistics

from benchmarks.place import said_by
from benchmarks.report import Row

GOALS = {
    "me/api-key": ("djangorestframework-api-key : /me with every check", 2.0),
    "me/knox": ("django-rest-knox : /me with every check", 3.0),
    "me/drf": ("bare REST framework view with one query : /me", 0.6),
    "payout/bare": ("the same transaction in a bare view : a payout", 0.7),
}


def measure() -> list[Row]:
    """Call both sides of every ratio in turns, in one process."""
    ratios = json.loads(said_by("benchmarks.calling"))
    rows = []
    for name, (what, goal) in GOALS.items():
        median, least, most = statistics.median(ratios[name]), min(ratios[name]), max(ratios[name])
        figure = f"{median:.2f} ({least:.2f} to {most:.2f})"
        rows.append(Row(name, what, figure, f">= {goal:g}", median >= goal))
    return rows
