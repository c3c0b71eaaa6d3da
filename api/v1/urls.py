"""The addresses of the API: the router's, under the root of each environment."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from rest_framework.routers import BaseRouter

from api.v1.router import ROUTER
from api.views import NothingHere


def patterns(router: BaseRouter) -> list[URLPattern | URLResolver]:
    """Return the addresses of a router in both environments."""
    known, nothing = router.urls, NothingHere.as_view()
    return [
        path("sandbox/v1/", include([*known, re_path("", nothing)]), {"environment": "sandbox"}),
        path("v1/", include([*known, re_path("", nothing)]), {"environment": "live"}),
        # However many slashes it begins with, and without the last one.
        re_path("^[/]*sandbox/v1(?:/|$)", nothing, {"environment": "sandbox"}),
        re_path("^[/]*v1(?:/|$)", nothing, {"environment": "live"}),
    ]


urlpatterns = patterns(ROUTER)
