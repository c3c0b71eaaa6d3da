"""Middleware that returns the ID of each API call and logs its response."""

import time
from datetime import datetime
from http import HTTPStatus
from typing import cast

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from rest_framework.response import Response

from api.calls import ApiCall, ApiRequest
from api.problems import CONTENT_TYPE, RETRY, ApiProblem, unreadable
from api.request_log_writer import WRITER, LoggedCall, shown, shown_pointer
from api.v1.router import WORDS
from apikeys.models import RequestLog
from console.audit import context
from console.core import addresses, clock, routes
from console.core.middleware import GetResponse


class ApiMiddleware:
    """Adds the call's ID and address to all audit entries during a call; ignores pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not routes.is_api(request):
            return self.get_response(request)
        began, at = time.monotonic(), clock.now()
        request_id = request.META["console.request_id"]
        request = cast("ApiRequest", request)
        request.api_call = ApiCall()
        around = context.Circumstances(request_id, addresses.client_ip(request), via="api")
        with context.during(around):
            response = _refused_host(request) or self.get_response(request)
        response = _in_our_format(request, response)
        response["X-Request-Id"] = request_id
        WRITER.note(_logged(request, response, at, time.monotonic() - began))
        return response


def _refused_host(request: ApiRequest) -> HttpResponse | None:
    try:
        request.get_host()
    except DisallowedHost:
        problem = unreadable("/headers/Host", "unknown_host", "Call the API at its own address.")
        return _document(request, problem)
    return None


def _in_our_format(request: ApiRequest, response: HttpResponse) -> HttpResponse:
    """Return the problem document of an error outside all views, for which Django has a page."""
    if response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(response, Response):
        return response
    if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return _document(request, ApiProblem("PROVIDER_UNAVAILABLE", headers=[RETRY]))
    return _document(request, ApiProblem("INTERNAL_ERROR"))


def _document(request: ApiRequest, problem: ApiProblem) -> HttpResponse:
    request.api_call.refuse(problem)
    return JsonResponse(
        problem.document(request.META["console.request_id"]),
        status=problem.status,
        content_type=CONTENT_TYPE,
        headers=dict(problem.headers),
    )


def _logged(
    request: ApiRequest, response: HttpResponse, at: datetime, seconds: float
) -> LoggedCall:
    call = request.api_call
    key, operation = call.key, call.operation
    environment, path = routes.api_root(request)
    row = RequestLog(
        at=at,
        request_id=request.META["console.request_id"],
        business_id=key.grant.business_id if key else None,
        key_id=key.public_id if key else "",
        environment=environment,
        method=operation.method if operation else shown(request.method or "", 10),
        path=operation.path if operation else _known_part(path),
        status=response.status_code,
        code=call.code,
        reason=call.reason,
        faults=[(shown_pointer(pointer), code) for pointer, code in call.faults],
        object_id=call.object_id,
        ip=call.ip or None,
        version=call.version,
        agent=shown(request.META.get("HTTP_USER_AGENT", ""), 120),
        microseconds=int(seconds * 1_000_000),
    )
    return LoggedCall(row, key.pk if key else None, operation)


def _known_part(path: str) -> str:
    """Return an unmatched path with unknown parts removed, as they may be private."""
    return "/".join(part if part in WORDS else "…" for part in path[:200].split("/"))
