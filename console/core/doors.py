"""What a page declares about itself: who may open it, how, and whether it asks again who you are.

The declaration is data on the view. `console.accounts.doors` enforces it; the tests' matrices
and the documentation are generated from it. A view without one fails the build.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from django.http import HttpRequest, HttpResponseBase

Kind = Literal["public", "person", "business", "staff"]
View = Callable[..., HttpResponseBase]


@dataclass(frozen=True)
class Door:
    """Who may open a page; `permission` is empty for public pages and for anyone signed in."""

    kind: Kind
    methods: tuple[str, ...] = ("GET",)
    permission: str = ""
    step_up: int = 0

    @property
    def accepts(self) -> frozenset[str]:
        """The methods, with HEAD wherever GET is."""
        return frozenset(self.methods) | ({"HEAD"} if "GET" in self.methods else frozenset())


def declare(view: Any, door: Door) -> Any:
    """Fix a declaration to a view; public pages are open to people who are not signed in."""
    view.door = door
    view.login_required = door.kind != "public"
    return view


def of(view: Any) -> Door | None:
    """Return a view's declaration."""
    return getattr(view, "door", None)


def safe(request: HttpRequest) -> bool:
    """Tell whether the request only reads."""
    return request.method in ("GET", "HEAD", "OPTIONS")
