"""Ways back and onward that never leave this site."""

from contextlib import suppress
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest) -> str:
    """Return the page of ours from which the person came, or nothing."""
    return _ours(request, request.headers.get("Referer", ""))


def page_above(request: HttpRequest) -> str:
    """Return the nearest page above the one that was asked for: of a key's form, the key.

    `new` is where a form stands, and the id of nothing.
    """
    path = request.path
    while path := path.rstrip("/").rpartition("/")[0]:
        with suppress(Resolver404):
            if not path.endswith("/new") and resolve(f"{path}/"):
                return f"{path}/"
    return "/"


def way_on(request: HttpRequest, otherwise: str) -> str:
    """Return the page of ours that `next` asks for, or the other one."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return _ours(request, wanted) or otherwise


def onward_to(route: str, url: str) -> str:
    """Return the address of a page that leads on to another when it is done."""
    return f"{reverse(route)}?{urlencode({'next': url})}" if url else reverse(route)


def _ours(request: HttpRequest, url: str) -> str:
    good = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # A word without a slash would be taken for the name of a page.
    begins_well = url.startswith(("/", "https://", "http://"))
    # A control character in an address is never ours, whatever a browser makes of it.
    return url if good and begins_well and url.isprintable() else ""
