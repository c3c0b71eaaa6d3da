"""Response headers in addition to those of Django's own middleware."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from console.core.middleware import GetResponse

ALWAYS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Permitted-Cross-Domain-Policies": "none",
}
# Files and responses that are not pages get a policy that allows nothing.
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


class HeadersMiddleware:
    """Our outermost middleware, so that files, errors and refused hosts get the headers too."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in ALWAYS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Content-Security-Policy", NOTHING)
        is_file = request.path.startswith(settings.STATIC_URL)
        if not is_file or response.status_code >= HTTPStatus.BAD_REQUEST:
            # Pages contain private data, so no cache may store them, not even the browser's.
            response.headers.setdefault("Cache-Control", "no-store")
        return response
