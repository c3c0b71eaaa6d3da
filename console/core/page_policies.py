"""What a page declares about itself: who may open it, how, and whether it asks again who you are.

The declaration is data on the view. `console.accounts.page_access` enforces it; the tests' matrices
and the documentation are generated from it. A view without one fails the build.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed

PageKind = Literal["public", "person", "business", "staff"]
PageView = Callable[..., HttpResponseBase]


@dataclass(frozen=True)
class PagePolicy:
    """Who may open a page; `permission` is empty for public pages and for anyone signed in.

    A form of a page that `keeps` comes back to whoever sent it too late: after the session ended.
    `step_up` is how many minutes ago, at most, its person proved who they are; `by_code` that they
    did so with a one-time code. `second_factor` says that they have set one up. What `by_program`
    sends has no session, so it needs no token against forged forms, and the page uses no session.
    `largest_body` is in bytes, of what may be sent to it.
    """

    kind: PageKind
    methods: tuple[str, ...] = ("GET",)
    permission: str = ""
    step_up: int = 0
    keeps: bool = field(default=False, kw_only=True)
    by_code: bool = field(default=False, kw_only=True)
    second_factor: bool = field(default=False, kw_only=True)
    by_program: bool = field(default=False, kw_only=True)
    largest_body: int = field(default=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, kw_only=True)

    @property
    def accepts(self) -> frozenset[str]:
        """The methods, with HEAD wherever GET is."""
        return frozenset(self.methods) | ({"HEAD"} if "GET" in self.methods else frozenset())


def declared(policy: PagePolicy) -> Callable[[PageView], PageView]:
    """Fix a declaration to a view, which then answers the methods named there and no other."""

    def decorate(view: PageView) -> PageView:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method not in policy.accepts:
                return HttpResponseNotAllowed(sorted(policy.accepts))
            return view(request, *args, **kwargs)

        page.page_policy = policy  # type: ignore[attr-defined]
        # Django's middleware asks everyone to sign in who opens a page that does not say this.
        page.csrf_exempt = policy.by_program  # type: ignore[attr-defined]
        page.login_required = policy.kind != "public"  # type: ignore[attr-defined]
        return page

    return decorate


def policy_of(view: Any) -> PagePolicy | None:
    """Return a view's declaration."""
    return getattr(view, "page_policy", None)


def safe(request: HttpRequest) -> bool:
    """Tell whether the request only reads."""
    return request.method in ("GET", "HEAD", "OPTIONS")
