"""API routes: the router's URLs under the root of each environment."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from rest_framework.routers import BaseRouter

from api.v1.router import ROUTER
from api.views import NothingHere


def patterns(router: BaseRouter) -> list[URLPattern | URLResolver]:
    """Return a router's URL patterns for both environments."""
    known, nothing = router.urls, NothingHere.as_view()
    below = [*known, re_path("", nothing)]
    roots = [
        (root[1:], {"environment": environment}) for environment, root in settings.API_ROOTS.items()
    ]
    return [
        *(path(f"{root}/", include(below), given) for root, given in roots),
        # Any number of leading slashes, and no trailing slash.
        *(re_path(f"^[/]*{root}(?:/|$)", nothing, given) for root, given in roots),
    ]


urlpatterns = patterns(ROUTER)
