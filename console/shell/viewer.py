"""Who is looking at the page, as far as the frame needs to know.

The shell stands below accounts, so accounts tells it: one provider, registered at start.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest


@dataclass(frozen=True)
class ViewerBusiness:
    """A business in which the visitor works, and as what.

    `row` is its row in the database, for whoever looks something up about it. `stopped` says in one
    word that its access is stopped, for now or for good; empty otherwise.
    """

    row: Any
    public_id: str
    name: str
    role: str
    url: str
    stopped: str = ""
    stopped_at: datetime | None = None


@dataclass(frozen=True)
class Viewer:
    """A signed-in person. `may` answers for a permission and a business's public id, or None.

    `idle_seconds` is how long they may do nothing before they are signed out. Pages show times in
    their `time_zone`.
    """

    name: str
    email: str
    staff_role: str
    places: tuple[ViewerBusiness, ...]
    may: Callable[[str, str | None], bool]
    idle_seconds: int = 0
    time_zone: str = "UTC"

    @property
    def initials(self) -> str:
        words = (self.name or self.email).split()
        return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()

    def place(self, public_id: str) -> ViewerBusiness | None:
        return next((place for place in self.places if place.public_id == public_id), None)


ViewerProvider = Callable[[HttpRequest], Viewer | None]
_providers: list[ViewerProvider] = []


def register(provider: ViewerProvider) -> None:
    """Say who can tell visitors apart. Called once, from accounts."""
    _providers[:] = [provider]


def viewer_of(request: HttpRequest) -> Viewer | None:
    """Return the person behind a request, or None for the public."""
    return _providers[0](request) if _providers else None
