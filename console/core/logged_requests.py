"""What every line of a request's log says about it: the route, never the path, and our address."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

from console.core import addresses, routes


class LoggedRequestMiddleware(RequestMiddleware):
    """The library's two lines, a request started and finished, without what a stranger chose.

    A path may hold a live token, and what is claimed in a header is no address.
    """

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {routes.name_of(request)}"

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        structlog.contextvars.bind_contextvars(ip=addresses.client_ip(request))
