"""The current viewer, as page templates need it.

The shell is below accounts in the layers, so accounts registers the provider.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest


@dataclass(frozen=True)
class ViewerBusiness:
    """A business that the viewer belongs to, and their roles there.

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
    """A signed-in user. `may` takes a permission, and a business's public id or None for staff.

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
    """Set the provider that returns the viewer. Called once, by accounts."""
    _providers[:] = [provider]


def viewer_of(request: HttpRequest) -> Viewer | None:
    """Return the user who sent a request, or None for an anonymous visitor."""
    return _providers[0](request) if _providers else None
