"""The two log lines of a request: it started, it finished. They name the route, never the path."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

from console.core import addresses, routes


class RequestLogMiddleware(RequestMiddleware):
    """The library's lines, with the route for the path, and the address that we resolved."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {routes.name_of(request)}"

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        structlog.contextvars.bind_contextvars(ip=addresses.client_ip(request))
