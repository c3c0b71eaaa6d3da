"""Search across packages, which register their own providers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

LONGEST = 100
EACH = 6


@dataclass(frozen=True)
class SearchHit:
    title: str
    detail: str
    url: str
    icon: str = "file-text"


SearchProvider = Callable[[Any, str], Iterable[SearchHit]]
_providers: list[SearchProvider] = []


def register(provider: SearchProvider) -> None:
    """Register a provider, which yields matching results that the user may see."""
    _providers.append(provider)


def find(request: Any, words: str) -> list[SearchHit]:
    """Return matching results that the user may see, a few from each package."""
    words = words.replace("\x00", "").strip()[:LONGEST]
    if len(words) < 2:
        return []
    return [hit for provider in _providers for hit in islice(provider(request, words), EACH)]
