"""Request logging: the route instead of the path, and our own view of the client's address."""

from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import bind_extra_request_metadata

from console.core import addresses, routes

# Longest logged user agent, in characters; clients can send a whole header of it.
_USER_AGENT = 200


class LoggedRequestMiddleware(RequestMiddleware):
    """Log the start and end of each request, without user-supplied text.

    A path may contain a live token, and an address claimed in a header is not to be trusted.
    """

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {routes.name_of(request)}"

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        structlog.contextvars.bind_contextvars(ip=addresses.client_ip(request))


@receiver(bind_extra_request_metadata)
def shorten_user_agent(log_kwargs: dict[str, Any], **_: Any) -> None:
    """Truncate the user agent in log lines."""
    log_kwargs["user_agent"] = (log_kwargs["user_agent"] or "")[:_USER_AGENT]
