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
_prefixes: set[str] = set()


def register(provider: SearchProvider, *, prefixes: Iterable[str] = ()) -> None:
    """Register a provider, which yields matching results that the user may see.

    `prefixes` are those of the ids for which our staff find a page.
    """
    _providers.append(provider)
    _prefixes.update(prefixes)


def leads_somewhere(public_id: str) -> bool:
    """Tell whether our staff find a page for this kind of id."""
    return public_id.partition("_")[0] in _prefixes


def find(request: Any, words: str) -> list[SearchHit]:
    """Return matching results that the user may see, a few from each package."""
    words = words.replace("\x00", "").strip()[:LONGEST]
    if len(words) < 2:
        return []
    return [hit for provider in _providers for hit in islice(provider(request, words), EACH)]
