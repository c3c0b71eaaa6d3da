"""REST framework's EXCEPTION_HANDLER: turns every exception into one of the 22 codes."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import UnreadablePostError
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api import parsers, validation
from api.problems import RETRY, ApiProblem, problem_for, unreadable
from console.core import outages
from console.core.refusals import Refused

log = logging.getLogger(__name__)


def handle(exception: Exception, context: dict[str, Any]) -> Response:
    """Return the problem response for an exception, without details of unexpected ones."""
    view, problem = context["view"], problem_of(exception)
    request_id = view.request_id
    view.call.refuse(problem)
    if problem.code.name in ("INTERNAL_ERROR", "PROVIDER_UNAVAILABLE") and exception is not problem:
        log.error("api_call_failed", exc_info=exception, extra={"request_id": request_id})
    return Response(
        problem.document(request_id),
        status=problem.status,
        headers=dict(problem.headers),
        content_type=view.renderer_classes[0].refusal_type,
    )


def problem_of(exception: Exception) -> ApiProblem:
    """Return the problem that a call is refused with when it raises this."""
    if isinstance(exception, ApiProblem):
        return exception
    if isinstance(exception, Refused):
        return problem_for(exception)
    if isinstance(exception, ValidationError):
        return validation.problem_of(exception)
    if isinstance(exception, RequestDataTooBig):
        return parsers.too_large()
    if isinstance(exception, UnreadablePostError):
        return unreadable("/body", "cut_short", "The body ended before its end. Send it again.")
    if outages.is_outage(exception):
        return ApiProblem("PROVIDER_UNAVAILABLE", headers=[RETRY])
    return ApiProblem("INTERNAL_ERROR")
