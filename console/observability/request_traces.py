"""Middleware that traces requests by route."""

from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from console.core import routes
from console.core.middleware import GetResponse

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestTracesMiddleware:
    """Is not used unless OTLP_ENDPOINT is set."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.OTLP_ENDPOINT:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        from opentelemetry.trace import SpanKind, StatusCode

        from console.observability.traces import QUIET, TRACER

        with TRACER.start_as_current_span("request", kind=SpanKind.SERVER, **QUIET) as span:
            response = self.get_response(request)
            route = routes.name_of(request).partition(" ")[0]
            method = request.method if request.method in _METHODS else "_OTHER"
            span.update_name(f"{method} {route}")
            span.set_attributes(
                {
                    "http.request.method": str(method),
                    "http.route": route,
                    "http.response.status_code": response.status_code,
                    "console.request_id": request.META["console.request_id"],
                }
            )
            if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                span.set_status(StatusCode.ERROR)
        return response
