"""The addresses of the API: each path under the root of each environment."""

from django.urls import URLPattern, include, path, re_path

from api.v1.operations import TABLE
from api.views import NothingHere, OperationView


def _pattern(address: str) -> URLPattern:
    route = address.removeprefix("/").replace("{", "<str:").replace("}", ">")
    return path(route, OperationView.as_view(operations=TABLE.by_path[address]))


_operations = [_pattern(address) for address in TABLE.by_path]
_anything = re_path("", NothingHere.as_view())
urlpatterns = [
    path("sandbox/v1/", include([*_operations, _anything]), {"environment": "sandbox"}),
    path("v1/", include([*_operations, _anything]), {"environment": "live"}),
    re_path("^/*sandbox/v1(?:/|$)", NothingHere.as_view(), {"environment": "sandbox"}),
    re_path("^/*v1(?:/|$)", NothingHere.as_view(), {"environment": "live"}),
]
