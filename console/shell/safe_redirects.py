"""Redirect targets that never leave this site."""

from contextlib import suppress
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest) -> str:
    """Return the page of ours that the user came from, or ""."""
    return _ours(request, request.headers.get("Referer", ""))


def page_above(request: HttpRequest) -> str:
    """Return the nearest page above the requested path: for a key's form, the key.

    Skips `new`, which is the path of a form and not of an object.
    """
    path = request.path
    while path := path.rstrip("/").rpartition("/")[0]:
        with suppress(Resolver404):
            if not path.endswith("/new") and resolve(f"{path}/"):
                return f"{path}/"
    return "/"


def way_on(request: HttpRequest, otherwise: str) -> str:
    """Return the page of ours in `next`, or `otherwise`."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return _ours(request, wanted) or otherwise


def onward_to(route: str, url: str) -> str:
    """Return the URL of a page that redirects to `url` when it is done."""
    return f"{reverse(route)}?{urlencode({'next': url})}" if url else reverse(route)


def _ours(request: HttpRequest, url: str) -> str:
    good = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # `redirect` would treat a word without a slash as a URL name.
    begins_well = url.startswith(("/", "https://", "http://"))
    # Browsers disagree about control characters in URLs.
    return url if good and begins_well and url.isprintable() else ""
