"""Search across packages: each registers what it can find, and for whom."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

LONGEST = 100
EACH = 6


@dataclass(frozen=True)
class SearchHit:
    """One thing that was found."""

    title: str
    detail: str
    url: str
    icon: str = "file-text"


SearchProvider = Callable[[Any, str], Iterable[SearchHit]]
_providers: list[SearchProvider] = []


def register(provider: SearchProvider) -> None:
    """Add a provider: given a person and words, it yields what that person may see."""
    _providers.append(provider)


def find(user: Any, words: str) -> list[SearchHit]:
    """Return what the person may see and the words name, a few from each package."""
    words = words.replace("\x00", "").strip()[:LONGEST]
    if len(words) < 2:
        return []
    return [hit for provider in _providers for hit in islice(provider(user, words), EACH)]
