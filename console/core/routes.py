"""Routes of requests, for logs: the route's name and public ids, which contain no secrets.

A path may contain a live token (reset, confirmation, invitation) and a query may contain anything,
so neither is ever logged.
"""

import re
from collections.abc import Mapping

from django.http import HttpRequest
from django.urls import Resolver404, resolve

_PUBLIC_ID = re.compile(r"[a-z]{2,5}_[0-9a-z]{1,34}")
NOWHERE = "unknown"
# With any number of leading slashes.
_API = re.compile(r"/+(sandbox/)?v1(?=/|$)")


def name_of(request: HttpRequest) -> str:
    """Return the route's name with its public ids: `accounts:member business_id=biz_...`."""
    match = request.resolver_match
    if match is None:
        try:
            match = resolve(request.path_info, getattr(request, "urlconf", None))
        except Resolver404:
            return NOWHERE
    ids = (f"{name}={value}" for name, value in public_ids(match.kwargs).items())
    return " ".join([match.view_name or NOWHERE, *ids])


def public_ids(parts: Mapping[str, object]) -> dict[str, str]:
    """Return the URL arguments that are public ids, by name."""
    return {
        name: str(value)
        for name, value in parts.items()
        if name.endswith("_id") and _PUBLIC_ID.fullmatch(str(value))
    }


def is_api(request: HttpRequest) -> bool:
    """Tell whether a request is for the API, which has no pages, sessions or forms.

    A host with URLs of its own has no API.
    """
    return not hasattr(request, "urlconf") and _API.match(request.path_info) is not None


def api_root(request: HttpRequest) -> tuple[str, str]:
    """Return the environment that an API request addresses, and the path below its root."""
    root = _API.match(request.path_info)
    assert root is not None
    return "sandbox" if root[1] else "live", request.path_info[root.end() :]
