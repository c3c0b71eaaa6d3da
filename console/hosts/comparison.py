"""Compare what the parts of all hosts reported."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta

from console.core import clock
from console.hosts.models import PartReport

# An older report is of a part that does not run.
_CURRENT = timedelta(minutes=3)


def latest() -> list[PartReport]:
    """Return the last report of each part, by host."""
    return list(PartReport.objects.order_by("host", "part"))


def differences() -> list[str]:
    """Return what is wrong on hosts whose parts run, and what differs between them."""
    since = clock.of_database() - _CURRENT
    running = [one for one in latest() if one.seen_at > since]
    wrong = [f"{one.host}, {one.part}: {problem}" for one in running for problem in one.problems]
    return [*wrong, *_differing(running)]


def _differing(reports: list[PartReport]) -> Iterable[str]:
    """Return what has several values. A part that cannot know a value reports none."""
    hosts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in reports:
        for name, value in one.state.items():
            if value:
                hosts[name][value].add(one.host)
    for name, by_value in hosts.items():
        if len(by_value) > 1:
            said = "; ".join(
                f"{value} on {', '.join(sorted(at))}" for value, at in by_value.items()
            )
            yield f"{name} differs: {said}."
