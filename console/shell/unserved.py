"""The page of a request that no view has seen: it came too slowly, too large, or when all is busy.

Made on the event loop, so it asks no database, no session and no navigation.
"""

from functools import lru_cache
from http import HTTPStatus

import structlog
from csp.middleware import CSPMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string

from console.core import addresses, ids
from console.server.environ import Environ
from console.server.responses import RawResponse, raw_response
from console.server.unserved import Unserved
from console.shell.headers import HeadersMiddleware

log = structlog.get_logger(__name__)

WORDS = {
    "too_large": ("That is too large", "What was sent is larger than anything that we accept."),
    "too_slow": (
        "That took too long",
        "What was sent did not arrive in time. Check your connection, then send it again.",
    ),
    "cut_short": (
        "We could not read that request",
        "What was sent ended before its end. Check your connection, then send it again.",
    ),
    "busy": ("Many people are here right now", "Wait a few seconds, then try again."),
    "stopping": ("We are starting again", "Wait a few seconds, then try again."),
}


def refuse(environ: Environ, unserved: Unserved) -> RawResponse:
    """Answer with a page that says what happened and what to do."""
    heading, words = WORDS[unserved.code]
    return page(environ, unserved.status, heading, words, unserved.retry_after)


def page(environ: Environ, status: int, heading: str, words: str, retry_after: int) -> RawResponse:
    """Return a page with every header that a page of ours has."""
    request = WSGIRequest(environ)
    answer = HttpResponse(_html(heading, words), status=status)
    answer.headers["X-Request-Id"] = ids.new("req")
    if retry_after:
        answer.headers["Retry-After"] = str(retry_after)
    log.info(
        "request_unserved",
        status=status,
        reason=HTTPStatus(status).phrase,
        ip=addresses.client_ip(request),
        request_id=answer.headers["X-Request-Id"],
    )
    return _raw(_dressed(request, answer))


def _dressed(request: HttpRequest, answer: HttpResponse) -> HttpResponseBase:
    """Put on what the middleware would have; the middleware itself may ask who is there."""

    def there(_: HttpRequest) -> HttpResponse:
        return answer

    def with_policy(request: HttpRequest) -> HttpResponse:
        CSPMiddleware(there).process_response(request, answer)
        return SecurityMiddleware(there).process_response(request, answer)

    return HeadersMiddleware(with_policy)(request)


@lru_cache(maxsize=16)
def _html(heading: str, words: str) -> str:
    return render_to_string("errors/unserved.html", {"heading": heading, "words": words})


def _raw(answer: HttpResponseBase) -> RawResponse:
    assert isinstance(answer, HttpResponse)
    return raw_response(answer.status_code, answer.headers.items(), answer.content)
