"""Middleware for hosts with URLs of their own, such as the checkout host."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.urls import set_urlconf

from console.core.middleware import GetResponse
from console.shell.headers import ALWAYS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
HEADERS = {
    "Referrer-Policy": "strict-origin",
    "Permissions-Policy": f"{ALWAYS['Permissions-Policy']}, clipboard-write=(self)",
    "X-Robots-Tag": "noindex",
}


class OwnHostMiddleware(ABC):
    """Gives requests for a host of its own that host's URLs, and no cookies."""

    urls: str

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Not get_host(), which refuses foreign hosts before the middleware that adds the headers.
        host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
        if not host or host != self.host():
            return self.get_response(request)
        request.urlconf = self.urls
        # Django reads `request.urlconf` only after all middleware; refusals before need it too.
        set_urlconf(self.urls)
        request.COOKIES = {}
        response = self.get_response(request)
        for name, value in self.headers(response).items():
            response.headers[name] = value
        return response

    @abstractmethod
    def host(self) -> str:
        """Return the host name, or "" if there is none now."""

    @abstractmethod
    def headers(self, response: HttpResponse) -> dict[str, str]:
        """Return the headers that replace the console's."""


class CheckoutHostMiddleware(OwnHostMiddleware):
    """The checkout host. A view whose page may be framed sets `frame_ancestors` on its response."""

    urls = "api.hosted.urls"

    def host(self) -> str:
        return urlsplit(settings.CHECKOUT_ORIGIN).hostname or ""

    def headers(self, response: HttpResponse) -> dict[str, str]:
        policy = framed_by(getattr(response, "frame_ancestors", ()))
        return HEADERS | {"Content-Security-Policy": policy}


def framed_by(origins: Iterable[str]) -> str:
    """Return the content security policy of a page that these origins may frame."""
    return POLICY + (" ".join(origins) or "'none'")
