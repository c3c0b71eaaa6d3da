"""The addresses of the API: the router's, under the root of each environment."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from rest_framework.routers import BaseRouter

from api.v1.router import ROUTER
from api.views import NothingHere


def patterns(router: BaseRouter) -> list[URLPattern | URLResolver]:
    """Return the addresses of a router in both environments."""
    known, nothing = router.urls, NothingHere.as_view()
    below = [*known, re_path("", nothing)]
    roots = [
        (root[1:], {"environment": environment}) for environment, root in settings.API_ROOTS.items()
    ]
    return [
        *(path(f"{root}/", include(below), given) for root, given in roots),
        # However many slashes it begins with, and without the last one.
        *(re_path(f"^[/]*{root}(?:/|$)", nothing, given) for root, given in roots),
    ]


urlpatterns = patterns(ROUTER)
