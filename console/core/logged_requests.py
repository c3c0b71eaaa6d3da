"""What every line of a request's log says about it."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

from console.core import addresses


class LoggedRequestMiddleware(RequestMiddleware):
    """Names the address that we resolved: what a stranger claims in a header is no address."""

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        structlog.contextvars.bind_contextvars(ip=addresses.client_ip(request))
