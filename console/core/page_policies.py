"""Page policies: who may open a page, with which methods, and whether it needs re-authentication.

A policy is data on the view. `console.accounts.page_access` enforces it, and the test matrices and
the documentation are generated from it. A view without a policy fails the build.
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
    """Who may open a page. `permission` is empty for public pages and for any signed-in user.

    `step_up`: the user must have re-authenticated at most this many minutes ago.
    `second_factor`: they must have set up a second factor.
    `by_program`: called by programs without a session, so it needs no CSRF token.
    `largest_body`: the largest request body, in bytes.
    """

    kind: PageKind
    methods: tuple[str, ...] = ("GET",)
    permission: str = ""
    step_up: int = 0
    second_factor: bool = field(default=False, kw_only=True)
    by_program: bool = field(default=False, kw_only=True)
    largest_body: int = field(default=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, kw_only=True)

    @property
    def accepts(self) -> frozenset[str]:
        """The allowed methods, with HEAD wherever GET is."""
        return frozenset(self.methods) | ({"HEAD"} if "GET" in self.methods else frozenset())


def declared(policy: PagePolicy) -> Callable[[PageView], PageView]:
    """Attach a policy to a view, which then responds 405 to methods not in the policy."""

    def decorate(view: PageView) -> PageView:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method not in policy.accepts:
                return HttpResponseNotAllowed(sorted(policy.accepts))
            return view(request, *args, **kwargs)

        page.page_policy = policy  # type: ignore[attr-defined]
        # Django's LoginRequiredMiddleware requires sign-in unless `login_required` is False.
        page.csrf_exempt = policy.by_program  # type: ignore[attr-defined]
        page.login_required = policy.kind != "public"  # type: ignore[attr-defined]
        return page

    return decorate


def policy_of(view: Any) -> PagePolicy | None:
    return getattr(view, "page_policy", None)


def safe(request: HttpRequest) -> bool:
    """Tell whether the request's method is read-only."""
    return request.method in ("GET", "HEAD", "OPTIONS")
