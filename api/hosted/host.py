"""Middleware that serves the payment pages, and nothing else, on the checkout host."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.urls import set_urlconf

from console.core.middleware import GetResponse
from console.shell.headers import ALWAYS

URLS = "api.hosted.urls"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
HEADERS = {
    "Referrer-Policy": "strict-origin",
    "Permissions-Policy": f"{ALWAYS['Permissions-Policy']}, clipboard-write=(self)",
    "X-Robots-Tag": "noindex",
}


class CheckoutHostMiddleware:
    """Gives requests for the checkout host its own URLs and headers, and no cookies.

    A view whose page may be framed sets `frame_ancestors` on its response.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _is_for_payers(request):
            return self.get_response(request)
        request.urlconf = URLS
        # Django reads `request.urlconf` only after all middleware; refusals before need it too.
        set_urlconf(URLS)
        request.COOKIES = {}
        response = self.get_response(request)
        ancestors = getattr(response, "frame_ancestors", ())
        response.headers["Content-Security-Policy"] = framed_by(ancestors)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response


def framed_by(origins: Iterable[str]) -> str:
    """Return the content security policy of a page that these origins may frame."""
    return POLICY + (" ".join(origins) or "'none'")


def _is_for_payers(request: HttpRequest) -> bool:
    # Not get_host(), which refuses foreign hosts before the middleware that adds the headers.
    host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
    return host == urlsplit(settings.CHECKOUT_ORIGIN).hostname
