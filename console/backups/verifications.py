"""Registry of verifications, which packages register: each finds what is wrong with stored data.

    register("packs", pack_verification.problems)    in AppConfig.ready()
    run(["packs"], tell)                             the problems found, as sentences

They repair nothing. A restore runs all of them, and `manage.py verify` runs those it is given.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

ProgressTeller = Callable[[str], object]
ProblemFinder = Callable[[ProgressTeller], Iterable[str]]
_Item = TypeVar("_Item")

_PAUSE_SECONDS = 2
_known: dict[str, ProblemFinder] = {}


def register(name: str, verification: ProblemFinder) -> None:
    """Register a verification. Called from AppConfig.ready(), nowhere else."""
    if name in _known:
        raise ValueError(f"The verification of {name} is registered twice.")
    _known[name] = verification


def names() -> list[str]:
    return list(_known)


def run(wanted: Sequence[str], tell: ProgressTeller) -> Iterator[str]:
    """Run these verifications, tell about each, and return what they find."""
    for name in wanted:
        tell(f"Verifying: {name}")
        yield from _known[name](tell)


def counted(items: Sequence[_Item], what: str, tell: ProgressTeller) -> Iterator[_Item]:
    """Return the items one by one, and tell every two seconds how many are done."""
    told_at = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if number == len(items) or time.monotonic() - told_at > _PAUSE_SECONDS:
            told_at = time.monotonic()
            tell(f"{what}: {number} of {len(items)}")
