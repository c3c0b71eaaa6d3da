"""The addresses of the API: each path under the root of each environment."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from api.gateway.operations import Table
from api.v1.operations import TABLE
from api.views import NothingHere, OperationView


def patterns(table: Table) -> list[URLPattern | URLResolver]:
    """Return the addresses of a table's operations in both environments."""
    known = [
        path(
            address.removeprefix("/").replace("{", "<str:").replace("}", ">"),
            OperationView.as_view(operations=methods),
        )
        for address, methods in table.by_path.items()
    ]
    nothing = NothingHere.as_view()
    return [
        path("sandbox/v1/", include([*known, re_path("", nothing)]), {"environment": "sandbox"}),
        path("v1/", include([*known, re_path("", nothing)]), {"environment": "live"}),
        # However many slashes it begins with, and without the last one.
        re_path("^[/]*sandbox/v1(?:/|$)", nothing, {"environment": "sandbox"}),
        re_path("^[/]*v1(?:/|$)", nothing, {"environment": "live"}),
    ]


urlpatterns = patterns(TABLE)
