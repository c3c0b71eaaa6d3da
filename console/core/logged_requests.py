"""What every line of a request's log says about it: the route, never the path, and our address."""

from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import bind_extra_request_metadata

from console.core import addresses, routes

# Of what a stranger's program calls itself, in letters: a whole head may be its name.
_USER_AGENT = 200


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


@receiver(bind_extra_request_metadata)
def shorten_user_agent(log_kwargs: dict[str, Any], **_: Any) -> None:
    """Keep a line of the log short, whatever was sent."""
    log_kwargs["user_agent"] = (log_kwargs["user_agent"] or "")[:_USER_AGENT]
