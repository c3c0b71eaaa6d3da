"""Request logging: one id for each request, the route instead of the path, and the duration."""

import time
from typing import Any

import structlog
from django.dispatch import receiver
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import (
    bind_extra_request_failed_metadata,
    bind_extra_request_finished_metadata,
)

from console.core import addresses, ids, routes

# Longest logged user agent, in characters; clients can send a whole header of it.
_USER_AGENT = 200


class LoggedRequestMiddleware(RequestMiddleware):
    """Log each request once, at its end, without user-supplied text.

    A path may contain a live token, and an address claimed in a header is not to be trusted.
    """

    def prepare(self, request: HttpRequest) -> None:
        # One id for the page or call, the audit entry and every line of the logs.
        request_id = request.META["console.request_id"] = ids.new("req")
        request.META["console.began"] = time.monotonic()
        ip = addresses.client_ip(request)
        structlog.contextvars.bind_contextvars(request_id=request_id, ip=ip)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {routes.name_of(request)}"


@receiver(bind_extra_request_finished_metadata)
@receiver(bind_extra_request_failed_metadata)
def add_details(request: HttpRequest, log_kwargs: dict[str, Any], **_: Any) -> None:
    """Add the time since the request began, and the start of its user agent."""
    seconds = time.monotonic() - request.META["console.began"]
    agent = request.META.get("HTTP_USER_AGENT", "")[:_USER_AGENT]
    log_kwargs |= {"duration_ms": round(seconds * 1000, 1), "user_agent": agent}
